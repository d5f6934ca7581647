import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { isEndless, type RouteContract } from '#schemas/api/contract.ts';
import { EXAMPLES } from '#schemas/api/openapi/request-examples.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';
import { textOf, watchAnswers } from '../helpers/watch-answers.ts';
import { type Records, type Reference, referencesOf, requestOf } from './requests.ts';
import { FAULTS, makeWorld, SHARED_SLUG, type World } from './world.ts';

/**
 * One customer's records do not exist for another: tries every id, slug and cursor of one customer in every parameter
 * of every operation, with another customer's key.
 */

let dataDir: string;
let service: TestService;
let unwatch: () => void;
let attacker: World;
let victim: World;
/** The victim's own view before the attack. */
let untouched: Map<string, string>;

beforeAll(async () => {
  dataDir = temporaryDataDir();
  service = await startService(dataDir, FAULTS);
  unwatch = watchAnswers(service.url);
  [attacker, victim] = await Promise.all([makeWorld(service, 'attacker'), makeWorld(service, 'victim')]);
  untouched = await allOf(victim);
}, 120_000);
afterAll(async () => {
  unwatch?.();
  await service?.killTree();
  removeDataDir(dataDir);
});

let auditorCalls = 0;
/** Rotates through the auditors: a token has ten calls a second. */
function nextTokenOf({ auditorTokens }: World): string {
  auditorCalls += 1;
  return auditorTokens[auditorCalls % auditorTokens.length]!;
}

interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  readonly replayed: boolean;
}

async function send(
  route: RouteContract,
  world: World,
  request: ReturnType<typeof requestOf>,
  extra: Record<string, string> = {},
): Promise<Seen> {
  const credentials: Record<string, string> = {
    internal: { 'x-internal-secret': service.internalSecret },
    auditor: { authorization: `Bearer ${nextTokenOf(world)}` },
    key: { 'x-service-key': world.customer.key },
    session: world.customer.sessionHeaders,
    none: {},
  }[route.auth];
  const { method, url, body } = request;
  const answer = await fetch(service.url + url, {
    method,
    headers: {
      ...credentials,
      ...extra,
      ...(body === undefined ? {} : { 'content-type': route.bodyTypes?.[0] ?? 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await textOf(answer),
    replayed: answer.headers.has('idempotent-replayed'),
  };
}

/** The response without parts that differ between requests. */
const comparable = ({ status, type, text }: Seen, sent: string): unknown => ({
  status,
  type,
  text: text
    .replaceAll(sent, '<sent>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"(lagSeconds|durationMs|complete)":([\d.]+|null|true|false)/g, '"$1":0'),
});

const unknownTwin = (value: string): string =>
  /^[0-9a-f-]{36}$/.test(value) ? v7() : value.replace(/victim/, 'nobody');

const named = (routes: readonly RouteContract[]) =>
  routes.map((route) => [route.operationId, route] as const);
const CUSTOMERS = ROUTES.filter(({ auth }) => auth === 'key' || auth === 'session');
const isCursor = ({ sample }: Reference): boolean => sample === 'cursor';
const referencesWithoutCursor = (route: RouteContract) =>
  referencesOf(route).filter((reference) => !isCursor(reference));
const AUDITORS = ROUTES.filter(({ auth }) => auth === 'auditor');
const PLATFORM = ROUTES.filter(({ auth }) => auth === 'internal');
/** Within a customer's limit for concurrent expensive requests. */
const AT_ONCE = 3;
const TODAY = new Date().toISOString().slice(0, 10);
const takesDates = ({ operationId }: RouteContract): boolean =>
  EXAMPLES[operationId]?.query?.from !== undefined;

/** There are none here, and a stopped partition belongs to no customer. */
const OF_STOPPED_PARTITIONS: readonly string[] = ['getStoppedPartition', 'getStoppedRecord'];

/** Everything that the victim can read of itself, except what changes by itself: an auditor's call is an entry. */
async function allOf(world: World): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const reads = ROUTES.filter(
    (route) =>
      route.method === 'GET' && ['key', 'session', 'internal'].includes(route.auth) && !isEndless(route),
  );
  for (const route of reads.filter(({ operationId }) => !OF_STOPPED_PARTITIONS.includes(operationId))) {
    const { url, ...request } = requestOf(route, { records: world.records });
    // A fixed period, because one that ends now moves.
    const period = takesDates(route) ? `?from=${TODAY}&to=${TODAY}` : '';
    const answer = await send(route, world, { ...request, url: url + period });
    expect([route.operationId, answer.status]).toEqual([route.operationId, 200]);
    // The list of all customers contains the attacker too.
    if (route.operationId !== 'listCustomers') seen.set(route.operationId, steady(answer.text));
  }
  return seen;
}

/** Operations whose responses changed. */
const changed = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before.keys()].filter((operation) => before.get(operation) !== after.get(operation));

const steady = (text: string): string =>
  text
    .replace(/"(durationMs|lagSeconds|coverage|complete)":([\d.]+|null|true|false)/g, '"$1":0')
    .replace(/"(lastUsedAt|lastFullVerificationAt|checkpoint|asOf)":("[^"]*"|null)/g, '"$1":0');

/** Sends the attacker's request and one with made-up ids; both must get the same response. */
async function expectUnknown(
  route: RouteContract,
  reference: Reference,
  value: string,
  records: Records,
): Promise<void> {
  const twin = unknownTwin(value);
  const [asked, unknown] = [
    await send(route, attacker, requestOf(route, { records, at: { reference, value } })),
    await send(route, attacker, requestOf(route, { records, at: { reference, value: twin } })),
  ];
  const what = `${route.operationId} ${reference.in} ${reference.name} = ${value}`;
  expect([what, comparable(asked, value)]).toEqual([what, comparable(unknown, twin)]);
  expectNothingOf(victim, asked.text.replaceAll(value, ''), what);
}

function expectNothingOf(world: World, text: string, what: string): void {
  expect([what, world.own.filter((one) => text.includes(one))]).toEqual([what, []]);
}

describe('every parameter that takes an id or a slug', () => {
  test.each(named([...CUSTOMERS, ...AUDITORS].filter((route) => referencesWithoutCursor(route).length > 0)))(
    '%s: the victim’s records are indistinguishable from records that never existed',
    async (_id, route) => {
      for (const reference of referencesWithoutCursor(route))
        await mapConcurrent(Object.values(victim.records), AT_ONCE, (value) =>
          expectUnknown(route, reference, value, attacker.records),
        );
      // Changes by reads are checked once, below.
      if (route.method !== 'GET') expect(changed(untouched, await allOf(victim))).toEqual([]);
    },
    120_000,
  );

  test('nothing of the victim has changed', async () => {
    expect(changed(untouched, await allOf(victim))).toEqual([]);
  });
});

/** A cursor that the list issued to its owner. */
async function cursorOf(world: World, route: RouteContract): Promise<string> {
  const { url } = requestOf(route, { records: world.records });
  const { text } = await send(route, world, { method: 'GET', url: `${url}?limit=1`, body: undefined });
  return (JSON.parse(text) as { pagination: { nextCursor: string } }).pagination.nextCursor;
}

const LISTS = CUSTOMERS.filter(({ method }) => method === 'GET').filter((route) =>
  referencesOf(route).some(isCursor),
);
/** The customer's own records, with a cursor of the operation's list if its body takes one. */
async function recordsFor(world: World, route: RouteContract): Promise<Records> {
  const list = LISTS.find(({ tag }) => tag === route.tag);
  const takesOne = referencesOf(route).some((reference) => isCursor(reference) && reference.in === 'body');
  return takesOne && list ? { ...world.records, cursor: await cursorOf(world, list) } : world.records;
}

const WITH_CURSOR = CUSTOMERS.filter((route) => referencesOf(route).some(isCursor));

describe('cursors', () => {
  test.each(named(WITH_CURSOR))(
    '%s: a cursor of the victim shows only the attacker’s rows',
    async (_id, route) => {
      const reference = referencesOf(route).find(isCursor) as Reference;
      for (const list of LISTS) {
        const value = await cursorOf(victim, list);
        expect(value).toMatch(/^[A-Za-z0-9_-]{6,}$/);
        const answer = await send(
          route,
          attacker,
          requestOf(route, { records: attacker.records, at: { reference, value } }),
        );
        expectNothingOf(victim, answer.text, `${route.operationId} with a cursor of ${list.operationId}`);
        expect([200, 202, 400]).toContain(answer.status);
        if (list === route) expect(answer.status).toBe(200);
      }
    },
  );
});

describe('records that both customers have', () => {
  test('a sandbox with the same slug belongs to each customer separately', async () => {
    const read = async ({ customer }: World, path: string) =>
      (await customer.client.request('GET', path)).body;
    const [one, other] = [
      await read(attacker, `/sandboxes/${SHARED_SLUG}`),
      await read(victim, `/sandboxes/${SHARED_SLUG}`),
    ];
    expect(one.id).not.toBe(other.id);
    for (const route of WITH_CURSOR.filter(({ method }) => method === 'GET')) {
      const reference = referencesOf(route).find(
        ({ in: where, sample }) => where === 'query' && sample === 'sandboxSlug',
      );
      if (reference === undefined) continue;
      const at = { reference, value: SHARED_SLUG };
      const answer = await send(route, attacker, requestOf(route, { records: attacker.records, at }));
      expectNothingOf(victim, answer.text, route.operationId);
    }
  });

  test('the attacker uses every right it has and changes nothing of the victim', async () => {
    const keepsRecords = [...CUSTOMERS].sort(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    );
    for (const route of keepsRecords) {
      const records = await recordsFor(attacker, route);
      const answer = await send(route, attacker, requestOf(route, { records }));
      expect([route.operationId, answer.status]).toEqual([route.operationId, expect.any(Number)]);
      expectNothingOf(victim, answer.text, route.operationId);
    }
    const replay = { filter: {}, dryRun: false };
    await attacker.customer.client.request('POST', '/dead-letters/replay', replay);
    expect(changed(untouched, await allOf(victim))).toEqual([]);
  });
});

// Last, because the platform may give a customer's signal any id, including that of another customer's record.
describe('parameters of the platform routes', () => {
  test.each(named(PLATFORM.filter((route) => referencesWithoutCursor(route).length > 1)))(
    '%s: the victim’s records are not found under the attacker’s id',
    async (_id, route) => {
      for (const reference of referencesWithoutCursor(route).filter(({ sample }) => sample !== 'customerId'))
        for (const value of Object.values(victim.records))
          await expectUnknown(route, reference, value, attacker.records);
      if (route.method !== 'GET') expect(changed(untouched, await allOf(victim))).toEqual([]);
    },
    120_000,
  );

  test('nothing of the victim has changed', async () => {
    expect(changed(untouched, await allOf(victim))).toEqual([]);
  });
});

describe('Idempotency-Keys', () => {
  let one: World;
  let other: World;
  beforeAll(async () => {
    [one, other] = await Promise.all([makeWorld(service, 'one'), makeWorld(service, 'other')]);
  }, 60_000);

  test.each(named(CUSTOMERS.filter(({ idempotent }) => idempotent)))(
    '%s: the same key of another customer has no effect',
    async (id, route) => {
      const key = { 'idempotency-key': `key-of-everybody-${id}` };
      const request = requestOf(route, { records: await recordsFor(one, route) });
      const first = await send(route, one, request, key);
      expect(first.status).toBeLessThan(300);
      const same = requestOf(route, { records: await recordsFor(other, route) });
      const answer = await send(route, other, same, key);
      expect([answer.status < 300, answer.replayed]).toEqual([true, false]);
      expectNothingOf(one, answer.text, id);
      const again = await send(route, one, request, key);
      expect([again.status, again.replayed]).toEqual([first.status, true]);
    },
  );
});
