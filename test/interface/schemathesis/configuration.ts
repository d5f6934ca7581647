import { isEndless, type RouteContract } from '#schemas/api/contract.ts';
import { acceptRollback } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { type Reference, referencesOf } from '../requests.ts';
import type { Pools } from './pools.ts';
import type { StoppedPartitions } from './stopped-partitions.ts';

export interface ConfigurationOptions {
  readonly pools: Pools;
  readonly stopped: StoppedPartitions;
  readonly internalSecret: string;
  /** The file with the hooks. */
  readonly hooks: string;
}

/** Share of the requests that name an existing record; the others name made-up ones. */
const KNOWN_RECORDS = 0.7;

/** Phases that must not take ids from responses: those run out, which leaves no examples; the dictionaries have enough. */
const LEARNING_PHASES = ['examples', 'coverage', 'fuzzing'];

/** Warnings that mean the run proved less than it seems to. */
const FATAL_WARNINGS = [
  'missing_auth',
  'rate_limited',
  'missing_test_data',
  'method_not_allowed',
  'unused_openapi_auth',
  'unsupported_regex',
  'unmatched_filter',
  'dictionary_mismatch',
];

/** Share of values that name a stopped record or a rolled-back customer: a request needs all of them at once. */
const STOPPED = 0.95;

/** Statuses that reject schema violations; oversized input is rejected before it is parsed. */
const REFUSALS = [400, 401, 403, 404, 405, 409, 413, 414, 415, 422, 431].map(String);

// TOML and JSON use the same notation here.
const toml = (value: string | number | readonly (string | number)[]): string => JSON.stringify(value);

/** A parameter or field in schemathesis's notation: `path.id`, `body.filter.sandboxSlug`, `body.[*].slug`. */
const keyOf = ({ in: where, name }: Reference): string =>
  [where, ...name.split('.').map((part) => (/^\d+$/.test(part) ? '[*]' : part))].join('.');

/** A request changes or deletes the last record in its path. */
const isActedUpon = ({ method, path }: RouteContract, { in: where, name }: Reference): boolean =>
  ['PUT', 'PATCH', 'DELETE'].includes(method) && where === 'path' && path.endsWith(`:${name}`);

/** schemathesis.toml: authentication and existing records; everything else is in the command and the hooks file. */
export function configurationOf({ pools, stopped, internalSecret, hooks }: ConfigurationOptions): string {
  const dictionaries = (['kept', 'disposable'] as const).flatMap((kind) =>
    Object.entries(pools[kind]).map(
      ([name, values]) => `[dictionaries.${kind}-${name}]\nvalues = ${toml(values)}\n`,
    ),
  );
  const operations = ROUTES.filter((route) => !isEndless(route))
    .filter((route) => referencesOf(route).length > 0 || route.path.includes(':partition'))
    .map((route) => {
      if (route.operationId === acceptRollback.operationId) return rolledBackCustomer;
      const parameters = referencesOf(route)
        .filter(({ sample }) => pools.kept[sample] !== undefined)
        .map((reference) => {
          const dictionary = `${isActedUpon(route, reference) ? 'disposable' : 'kept'}-${reference.sample}`;
          return `${toml(keyOf(reference))} = { dictionary = ${toml(dictionary)}, probability = ${KNOWN_RECORDS} }\n`;
        });
      parameters.push(...partitionValues(route));
      return operation(route, parameters);
    });
  return [
    `hooks = ${toml(hooks)}\n`,
    `[warnings]\nfail-on = ${toml(FATAL_WARNINGS)}\n`,
    `[checks.negative_data_rejection]\nexpected-statuses = ${toml(REFUSALS)}\n`,
    `[auth.openapi.serviceKey]\napi_key = ${toml(pools.apiKey)}\n`,
    `[auth.openapi.session]\napi_key = ${toml(pools.sessions[0]!.token)}\n`,
    `[auth.openapi.csrfToken]\napi_key = ${toml(pools.sessions[0]!.csrfToken)}\n`,
    `[auth.openapi.internalSecret]\napi_key = ${toml(internalSecret)}\n`,
    `[auth.openapi.auditorToken]\nbearer = ${toml(pools.auditorTokens[0]!)}\n`,
    ...LEARNING_PHASES.map((phase) => `[phases.${phase}.extra-data-sources]\nresponses = false\n`),
    ...dictionaries,
    ...dictionariesOf(stopped),
    `[dictionaries.rolled-back]\nvalues = ${toml(pools.rolledBack)}\n`,
    ...operations,
  ].join('\n');
}

const operation = ({ operationId }: RouteContract, parameters: readonly string[]): string =>
  `[[operations]]\ninclude-operation-id = ${toml(operationId)}\n[operations.parameters]\n${parameters.join('')}`;

const rolledBackCustomer = operation(acceptRollback, [
  `${toml('path.id')} = { dictionary = ${toml('rolled-back')}, probability = ${STOPPED} }\n`,
]);

const dictionariesOf = ({ shown, accepted }: StoppedPartitions): string[] =>
  Object.entries({
    'stopped-topic': shown.topic,
    'shown-partition': String(shown.partition),
    'accepted-partition': String(accepted.partition),
    'accepted-offset': accepted.offset,
    'accepted-digest': accepted.digest,
  }).map(([name, value]) => `[dictionaries.${name}]\nvalues = ${toml([value])}\n`);

/** For an operation on a stopped partition: the partition, and the record whose loss may be accepted. */
function partitionValues({ path, method }: RouteContract): string[] {
  if (!path.includes(':partition')) return [];
  const named =
    method === 'GET'
      ? { 'path.partition': 'shown-partition' }
      : {
          'path.partition': 'accepted-partition',
          'body.offset': 'accepted-offset',
          'body.digest': 'accepted-digest',
        };
  return Object.entries({ 'path.topic': 'stopped-topic', ...named }).map(
    ([reference, name]) => `${toml(reference)} = { dictionary = ${toml(name)}, probability = ${STOPPED} }\n`,
  );
}
