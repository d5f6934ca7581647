import { existsSync } from 'node:fs';
import { goTool, run } from './tools.ts';

interface Service {
  readonly restart?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly secrets?: readonly { readonly source: string }[];
  readonly volumes?: readonly { readonly type: string; readonly source?: string }[];
}

/** Merged compose files. */
export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, unknown>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

/** Reads the files as `docker compose` does: the published schema, variables at their defaults, merge. */
export const readCompose = (files: readonly string[]): Compose =>
  JSON.parse(run(goTool('cmd'), ['-format', 'json', ...files], { PATH: process.env.PATH })) as Compose;

/** Faults of compose files that the schema does not catch. */
export const composeFaults = (compose: Compose): string[] =>
  Object.entries(compose.services).flatMap(([name, service]) =>
    [
      ...undefinedNames(service, compose),
      ...missingFiles(service),
      ...(isAwaited(name, compose) ? [] : ['ends by itself, but no service waits until it has']),
    ].map((fault) => `${name}: ${fault}`),
  );

function undefinedNames(service: Service, { services, networks, secrets, volumes }: Compose): string[] {
  const named = service.volumes?.flatMap(({ type, source }) => (type === 'volume' && source ? [source] : []));
  const uses: [string, readonly string[], object | undefined][] = [
    ['service', Object.keys(service.depends_on ?? {}), services],
    ['network', Object.keys(service.networks ?? {}), networks],
    ['secret', (service.secrets ?? []).map(({ source }) => source), secrets],
    ['volume', named ?? [], volumes],
  ];
  return uses.flatMap(([kind, names, defined]) =>
    names.filter((one) => !Object.hasOwn(defined ?? {}, one)).map((one) => `there is no ${kind} ${one}`),
  );
}

/** The engine would create a folder in place of a missing file. */
const missingFiles = ({ volumes = [] }: Service): string[] =>
  volumes
    .filter(({ type, source }) => type === 'bind' && !existsSync(source ?? ''))
    .map(({ source }) => `${source} is mounted, but missing`);

/** `up --wait` treats the exit of a one-off service as a crash unless another service waits for it. */
const isAwaited = (name: string, { services }: Compose): boolean =>
  services[name]!.restart !== 'no' ||
  Object.values(services).some(
    ({ depends_on }) => depends_on?.[name]?.condition === 'service_completed_successfully',
  );
