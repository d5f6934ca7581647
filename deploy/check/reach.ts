import { type Container, type Manifest, podOf } from './manifest.ts';

const PUBLIC_PORT = 'http';
const ADMIN_PORT = 'admin';
/** Ports of the values files in ci/. */
const DNS_PORT = 53;
const WAREHOUSE_PORT = 8443;

interface Rule {
  readonly from?: readonly unknown[];
  readonly ports?: readonly { readonly port: number | string }[];
}

/**
 * Finds routes from outside to the port of /internal and /metrics: an ingress or a service that leads there, a network
 * policy that admits everyone, a probe that asks the public port for an admin route. Also finds egress that a role does
 * not need.
 */
export function reachFaults(manifest: Manifest): string[] {
  switch (manifest.kind) {
    case 'Ingress':
      return ingressFaults(manifest);
    case 'Service':
      return serviceFaults(manifest);
    case 'NetworkPolicy':
      return [...admitted(manifest), ...waysOut(manifest)];
    case 'Deployment':
      return (podOf(manifest)?.spec.containers ?? []).flatMap(probeFaults);
    default:
      return [];
  }
}

interface Backend {
  readonly backend: {
    readonly service: { readonly name: string; readonly port: { readonly name?: string } };
  };
}

const ingressFaults = ({ spec }: Manifest): string[] =>
  (spec.rules as readonly { http: { paths: readonly Backend[] } }[])
    .flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))
    .filter(({ name, port }) => name.endsWith('-admin') || port.name !== PUBLIC_PORT)
    .map(({ name, port }) => `leads to ${name}, port ${port.name}`);

function serviceFaults({ metadata, spec }: Manifest): string[] {
  const isAdmin = metadata.name.endsWith('-admin');
  const ports = spec.ports as readonly { targetPort: unknown }[];
  return [
    ...ports
      .filter(({ targetPort }) => isAdmin !== (targetPort === ADMIN_PORT))
      .map(({ targetPort }) => `leads to port ${targetPort}`),
    ...(isAdmin && spec.type !== 'ClusterIP' ? ['can be reached from outside the cluster'] : []),
  ];
}

const admitted = ({ spec }: Manifest): string[] =>
  ((spec.ingress ?? []) as readonly Rule[])
    .filter(({ from = [] }) => from.length === 0)
    .flatMap(({ ports = [] }) => ports.filter(({ port }) => port !== PUBLIC_PORT))
    .map(({ port }) => `admits everyone to port ${port}`);

function waysOut({ metadata: { name }, spec }: Manifest): string[] {
  const rules = (spec.egress ?? []) as readonly Rule[];
  return rules.flatMap(({ ports = [] }) => {
    if (ports.length === 0) return ['lets out on every port'];
    return ports.flatMap(({ port }) => {
      if (port === DNS_PORT) return [];
      if (!name.endsWith('-parts')) return [`lets every role out on port ${port}`];
      return name.endsWith('-analyzer-parts') && port === WAREHOUSE_PORT
        ? ['lets the analyzer reach the warehouse']
        : [];
    });
  });
}

const probeFaults = ({ name, startupProbe, livenessProbe, readinessProbe }: Container): string[] =>
  [startupProbe, livenessProbe, readinessProbe]
    .filter((probe) => probe?.httpGet?.port !== ADMIN_PORT)
    .map(() => `${name}: a probe does not ask port ${ADMIN_PORT}`);
