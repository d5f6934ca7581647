import { MAX_BATCH_ITEMS, NDJSON } from '#schemas/api/audit-batch.ts';
import { DEFAULT_BODY_LIMIT, isEndless, type RouteContract } from '#schemas/api/contract.ts';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { EXAMPLES, SAMPLES } from '#schemas/api/openapi/request-examples.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { awkwardBody, awkwardText, BODY_KINDS, type BodyKind, largeSize } from './hostile-values.ts';
import type { Random } from './random.ts';

interface HostileRequest {
  readonly operation: string;
  readonly kind: Kind;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface Credentials {
  readonly key: string;
  readonly internalSecret: string;
  /** Slug of an existing sandbox. */
  readonly slug: string;
}

const HEAD_KINDS = ['plain', 'headers', 'type', 'cursor', 'query', 'path', 'percent', 'auth'] as const;
type HeadKind = (typeof HEAD_KINDS)[number];
type Kind = HeadKind | BodyKind;

const MAX_HEADERS = 15_000;
const MAX_TARGET = 8_000;
const KEY_HEADER = 'x-service-key';

interface Parameter {
  readonly name: string;
  readonly in: string;
}

/** Names of the query parameters of each operation, as the description has them. */
function queryNames(): ReadonlyMap<string, readonly string[]> {
  const { paths } = openApi(ROUTES, { keyHeader: KEY_HEADER }) as {
    paths: Record<string, Record<string, { operationId: string; parameters: Parameter[] }>>;
  };
  return new Map(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId, parameters }) => [
        operationId,
        parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      ]),
  );
}

/** The requested number of requests to each operation, of each kind in turn; the same for the same `random`. */
export function* hostileCorpus(
  perOperation: number,
  random: Random,
  credentials: Credentials,
): Generator<HostileRequest> {
  const names = queryNames();
  // A stream of events does not end, and nobody would wait for its answer.
  for (const contract of ROUTES.filter((one) => !isEndless(one))) {
    const kinds: readonly Kind[] = contract.body ? [...HEAD_KINDS, ...BODY_KINDS] : HEAD_KINDS;
    for (let number = 0; number < perOperation; number += 1)
      yield hostileRequest(contract, kinds[number % kinds.length]!, names, random, credentials);
  }
}

function hostileRequest(
  contract: RouteContract,
  kind: Kind,
  names: ReadonlyMap<string, readonly string[]>,
  random: Random,
  credentials: Credentials,
): HostileRequest {
  const headers: Record<string, string> = {
    ...(contract.auth === 'key' ? { [KEY_HEADER]: credentials.key } : {}),
    ...(contract.auth === 'internal' ? { 'x-internal-secret': credentials.internalSecret } : {}),
  };
  const body = bodyOf(contract, kind, random, credentials);
  if (body !== null) headers['content-type'] = body.type;
  if (contract.idempotent && random.chance(0.3)) headers['idempotency-key'] = random.hex(16);
  if (kind === 'headers') Object.assign(headers, awkwardHeaders(random));
  if (kind === 'type') headers['content-type'] = awkwardType(random);
  if (kind === 'auth') headers[random.pick([KEY_HEADER, 'x-internal-secret'])] = awkwardText(random, 500);
  const target = targetOf(contract, kind, names.get(contract.operationId) ?? [], random);
  return {
    operation: contract.operationId,
    kind,
    method: contract.method,
    target,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, onWire(value)])),
    body: body?.bytes ?? null,
  };
}

/** What a header may contain: the server's parser refuses anything else first. */
const onWire = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, '?').slice(0, MAX_HEADERS);

function awkwardHeaders(random: Random): Record<string, string> {
  const long = random.pick([' ', 'a', 'a,', ', ', '"\\', 'a=b;', '%41', '1.2.3.4, ']);
  const size = random.upTo(MAX_HEADERS);
  const name = random.pick([
    'accept',
    'content-type',
    'idempotency-key',
    'x-forwarded-for',
    'cookie',
    'origin',
    'if-none-match',
    'range',
    KEY_HEADER,
  ]);
  return { [name]: `a${long.repeat(Math.ceil(size / long.length))}`.slice(0, size) };
}

const awkwardType = (random: Random): string => {
  const filling = random.pick([' ', '\t', ';', 'a=b;', '/', '"', 'charset=utf-8;']);
  const size = random.upTo(MAX_HEADERS);
  return `${random.pick(['application/json', NDJSON, 'a/b', ''])}${filling.repeat(size / filling.length)};x`;
};

function targetOf(
  { operationId, path }: RouteContract,
  kind: Kind,
  names: readonly string[],
  random: Random,
): string {
  const example = EXAMPLES[operationId] ?? {};
  const inPath = (name: string): string => {
    if (kind === 'path') return encodeURIComponent(awkwardText(random, 400).toWellFormed());
    if (kind === 'percent')
      return random
        .pick(['%', '%zz', '%00', '%2e%2e%2f', '%c3%28', '%f0%9f', '%25'])
        .repeat(random.upTo(600));
    return example.path?.[name] ?? random.hex(8);
  };
  const filled = path.replace(/:([A-Za-z]+)/g, (_all, name: string) => inPath(name));
  const query = queryOf(kind, names, example.query ?? {}, random);
  return `${filled}${query === '' ? '' : `?${query}`}`.slice(
    0,
    kind === 'path' ? 2 * MAX_TARGET : MAX_TARGET,
  );
}

function queryOf(
  kind: Kind,
  names: readonly string[],
  example: Readonly<Record<string, string>>,
  random: Random,
): string {
  const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
  if (kind === 'cursor') return `cursor=${encoded(cursor(random))}&limit=${random.upTo(1_000)}`;
  if (kind === 'query') {
    const many = Array.from(
      { length: random.upTo(300) },
      () => `${random.pick([...names, 'a', '__proto__', ''])}=${encoded(awkwardText(random, 60))}`,
    );
    return many.join(random.pick(['&', '&&', ';']));
  }
  if (kind === 'percent') return `${random.pick([...names, 'a'])}=${'%41%'.repeat(random.upTo(1_500))}`;
  // Waits only briefly: a held answer is not a blocked event loop.
  return names
    .filter((name) => name !== 'wait' && random.chance(0.4))
    .map(
      (name) => `${name}=${encoded(random.chance(0.5) ? (example[name] ?? '1') : awkwardText(random, 200))}`,
    )
    .join('&');
}

function cursor(random: Random): string {
  const parts = [
    2,
    -1,
    1e300,
    '2026-11-20T09:30:00.000Z',
    '0000-99-99T99:99:99.999Z',
    SAMPLES.auditId,
    null,
    [],
    awkwardText(random, 300),
  ];
  const value = Array.from({ length: random.upTo(5) }, () => random.pick(parts));
  return random.chance(0.8)
    ? Buffer.from(JSON.stringify(value)).toString('base64url')
    : awkwardText(random, 500);
}

interface TypedBody {
  readonly bytes: Buffer;
  readonly type: string;
}

function bodyOf(
  contract: RouteContract,
  kind: Kind,
  random: Random,
  { slug }: Credentials,
): TypedBody | null {
  if (!contract.body) return null;
  const json = JSON.stringify(EXAMPLES[contract.operationId]?.body ?? {});
  // Bodies with a sandbox name an existing one, so that they get past that check.
  const example = JSON.parse(json.replaceAll(SAMPLES.sandboxSlug, slug)) as unknown;
  const isBatch = contract.rawBody === true;
  const limit = contract.bodyLimitBytes ?? DEFAULT_BODY_LIMIT;
  const size = largeSize(random, limit);
  const isBodyKind = (BODY_KINDS as readonly Kind[]).includes(kind);
  const text = isBodyKind ? awkwardBody(kind as BodyKind, example, size, random) : JSON.stringify(example);
  if (!isBatch || !isBodyKind || random.chance(0.5))
    return { bytes: Buffer.from(text), type: 'application/json' };
  const lines = Math.min(
    MAX_BATCH_ITEMS,
    Math.max(1, Math.floor(limit / (text.length + 1))),
    random.upTo(50) + 1,
  );
  return { bytes: Buffer.from(`${text}\n`.repeat(lines)), type: NDJSON };
}
