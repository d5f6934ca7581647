import { isDeepStrictEqual } from 'node:util';
import { type Fields, type Manifest, type PodSpec, podOf } from './manifest.ts';

/** Values for every pod, of all roles or of one. */
interface PodValues {
  readonly podAnnotations?: Fields;
  readonly podLabels?: Fields;
  readonly extraEnv?: readonly unknown[];
  readonly extraEnvFrom?: readonly unknown[];
  readonly extraVolumes?: readonly unknown[];
  readonly extraVolumeMounts?: readonly unknown[];
  readonly topologySpreadConstraints?: readonly unknown[];
  readonly [field: string]: unknown;
}

interface Account {
  readonly annotations?: Fields;
}

/** A values file, limited to what is checked in the manifests. */
export interface Values extends PodValues {
  readonly config?: { readonly listenAddress?: string };
  readonly service?: { readonly ipFamilyPolicy?: string; readonly ipFamilies?: readonly string[] };
  readonly networkPolicy?: { readonly extraEgress?: readonly unknown[] };
  readonly serviceAccount?: Account;
  readonly imagePullSecrets?: readonly unknown[];
  readonly podSecurityContext?: Fields;
  readonly migrate?: PodValues & Account & { readonly serviceAccount?: Account };
}

const CHART_USER = 10_001;
const ROLES = ['api', 'analyzer', 'sink', 'correlator', 'migrate'];
const HOOK = ['helm.sh/hook', 'helm.sh/hook-weight', 'helm.sh/hook-delete-policy'];

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

const equal = (what: string, found: unknown, given: unknown): string[] =>
  (isEmpty(found) && isEmpty(given)) || isDeepStrictEqual(found, given)
    ? []
    : [`${what} is ${text(found)} and not ${text(given)}`];

const contains = (what: string, found: Fields = {}, given: Fields = {}): string[] =>
  Object.entries(given).flatMap(([key, value]) => equal(`${what} ${key}`, found[key], value));

const last = (found: readonly unknown[] = [], count: number): readonly unknown[] =>
  found.slice(found.length - count);

/** Values that a manifest lacks, and fields that it has although no value sets them. */
export const givenFaults = (manifest: Manifest, values: Values): string[] => [
  ...annotationFaults(manifest, values),
  ...addressFaults(manifest, values),
  ...podFaults(manifest, values),
];

function annotationFaults({ kind, metadata }: Manifest, { migrate, serviceAccount }: Values): string[] {
  const { annotations } = metadata;
  const isMigrate = metadata.name.endsWith('-migrate');
  const isAccount = kind === 'ServiceAccount';
  if (!isMigrate) return isAccount ? equal('annotations', annotations, serviceAccount?.annotations) : [];
  if (kind === 'NetworkPolicy') return [];
  return [
    ...(isAccount ? contains('annotation', annotations, migrate?.serviceAccount?.annotations) : []),
    ...contains('annotation', annotations, migrate?.annotations),
    ...HOOK.filter((key) => isEmpty(annotations?.[key])).map((key) => `annotation ${key} is missing`),
  ];
}

/** Faults in listening ports, in the addresses of processes, and in what they may reach beyond their dependencies. */
function addressFaults({ kind, metadata, data, spec }: Manifest, values: Values): string[] {
  switch (kind) {
    case 'ConfigMap':
      return ['HOST', 'ADMIN_HOST'].flatMap((name) =>
        equal(name, data?.[name], values.config?.listenAddress ?? '0.0.0.0'),
      );
    case 'Service':
      return ['ipFamilyPolicy', 'ipFamilies'].flatMap((name) =>
        equal(name, spec[name], (values.service as Fields | undefined)?.[name]),
      );
    case 'NetworkPolicy': {
      const extra = values.networkPolicy?.extraEgress ?? [];
      if (!metadata.name.endsWith('-parts')) return [];
      return equal('the last ways out', last(spec.egress, extra.length), extra);
    }
    default:
      return [];
  }
}

function podFaults(manifest: Manifest, values: Values): string[] {
  const pod = podOf(manifest);
  if (pod === null) return [];
  const { spec, metadata } = pod;
  const [container] = spec.containers;
  if (container === undefined || !ROLES.includes(container.name)) return ['the first container is no role'];
  const role = (values[container.name] ?? {}) as PodValues;
  const both = (name: keyof PodValues): unknown[] => [
    ...((values[name] ?? []) as unknown[]),
    ...((role[name] ?? []) as unknown[]),
  ];
  const [volumes, mounts] = [both('extraVolumes'), both('extraVolumeMounts')];
  const instead = (name: string): unknown => (isEmpty(role[name]) ? values[name] : role[name]);
  const spread = instead('topologySpreadConstraints');
  const isSpread = !isEmpty(spread) && container.name !== 'migrate';
  const { podAnnotations, podLabels } = values;
  return [
    ...contains('annotation', metadata?.annotations, { ...podAnnotations, ...role.podAnnotations }),
    ...contains('label', metadata?.labels, { ...podLabels, ...role.podLabels }),
    ...equal('env', container.env, both('extraEnv')),
    ...equal('envFrom after the chart’s', container.envFrom?.slice(1), both('extraEnvFrom')),
    ...equal('the last volumes', last(spec.volumes, volumes.length), volumes),
    ...equal('the last mounts', last(container.volumeMounts, mounts.length), mounts),
    ...equal('imagePullSecrets', spec.imagePullSecrets, values.imagePullSecrets),
    ...['nodeSelector', 'tolerations', 'affinity', 'priorityClassName'].flatMap((name) =>
      equal(name, spec[name], instead(name)),
    ),
    ...(isSpread ? equal('topologySpreadConstraints', spec.topologySpreadConstraints, spread) : []),
    ...userFaults(spec, values.podSecurityContext),
  ];
}

/** Null omits a field: the cluster decides. */
const userFaults = ({ securityContext }: PodSpec, given: Fields = {}): string[] =>
  ['runAsUser', 'runAsGroup', 'fsGroup'].flatMap((field) =>
    equal(field, securityContext?.[field], field in given ? given[field] : CHART_USER),
  );
