import { type Container, type Fields, type Manifest, podOf } from './manifest.ts';

const VOLUMES = [
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected'],
  'secret',
];
/** Pod fields that the profile forbids. */
const HOST = ['hostNetwork', 'hostPID', 'hostIPC'];
const CONTEXT = ['procMount', 'sysctls', 'seLinuxOptions', 'windowsOptions', 'appArmorProfile'];
const SECCOMP = ['RuntimeDefault', 'Localhost'];

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/**
 * Faults that admission at level "restricted" (Kubernetes pod security standards) would reject in a pod. Options that
 * the standards allow with certain values, but that our charts do not need, count as faults.
 */
export function restrictedFaults(manifest: Manifest): string[] {
  const spec = podOf(manifest)?.spec;
  if (spec === undefined) return [];
  const pod = spec.securityContext ?? {};
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  return [
    ...HOST.filter((name) => isSet(spec[name])),
    ...CONTEXT.filter((name) => isSet(pod[name])),
    ...(spec.volumes ?? []).flatMap((volume) =>
      Object.keys(volume)
        .filter((type) => type !== 'name' && !VOLUMES.includes(type))
        .map((type) => `volume of type ${type}`),
    ),
    ...containers.flatMap((container) =>
      containerFaults(container, pod).map((fault) => `${container.name}: ${fault}`),
    ),
  ].map((fault) => `not restricted: ${fault}`);
}

function containerFaults({ securityContext: own = {}, ports = [] }: Container, pod: Fields): string[] {
  const both: Fields = { ...pod, ...own };
  const { capabilities } = own;
  const seccomp = both.seccompProfile as { readonly type?: string } | undefined;
  const rules: [string, boolean][] = [
    ['privileged', !isSet(own.privileged)],
    ['allowPrivilegeEscalation', own.allowPrivilegeEscalation === false],
    ['capabilities are kept', capabilities?.drop?.includes('ALL') === true],
    ['capabilities are added', (capabilities?.add ?? []).every((name) => name === 'NET_BIND_SERVICE')],
    ['runAsNonRoot', both.runAsNonRoot === true],
    ['runAsUser 0', both.runAsUser !== 0],
    ['seccompProfile', SECCOMP.includes(seccomp?.type ?? '')],
    ['hostPort', ports.every(({ hostPort }) => !isSet(hostPort) || hostPort === 0)],
    ...CONTEXT.map((name): [string, boolean] => [name, !isSet(own[name])]),
  ];
  return rules.filter(([, isKept]) => !isKept).map(([rule]) => rule);
}
