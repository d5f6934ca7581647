import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { makeAuditor, type TestAuditor } from './testing/auditors.ts';
import { internalHeaders } from './testing/harness.ts';
import { openTestSession, type TestSession } from './testing/sessions.ts';
import { type StoredWorld, startStoredWorld } from './testing/stored-world.ts';

/** Whatever a cursor contains, a list answers with a page or with INVALID_CURSOR, on the warehouse's own engine. */

let world: StoredWorld;
let auditor: TestAuditor;
let session: TestSession;
beforeAll(async () => {
  world = await startStoredWorld();
  auditor = await makeAuditor(world.harness, world.customer);
  session = await openTestSession(world.harness, world.customer.id);
}, 60_000);
afterAll(() => world.close());

const takesCursor = (schema: unknown): boolean =>
  JSON.stringify(schema ?? null, (_key, value: unknown) =>
    typeof value === 'function' ? undefined : value,
  ).includes('"cursor"');

/** Every operation that accepts a cursor, found by its contract. */
const LISTS = ROUTES.filter(({ query, body }) => takesCursor(query) || takesCursor(body));

async function ask(operationId: string, cursor: string): Promise<{ status: number; code: unknown }> {
  const route = LISTS.find((one) => one.operationId === operationId)!;
  const url = route.path.replace(':id', route.tag === 'Sandboxes' ? world.sandboxId : world.customer.id);
  const headers = {
    internal: internalHeaders,
    key: world.customer.headers,
    auditor: auditor.headers,
    session: session.headers,
    none: {},
  }[route.auth];
  // Each token has its own bucket, which fills within seconds.
  world.harness.skew += 1_000;
  const answer =
    route.method === 'GET'
      ? await world.harness.call({ url: `${url}?cursor=${encodeURIComponent(cursor)}`, headers })
      : await world.harness.call({
          method: route.method,
          url,
          headers,
          payload: { filter: {}, dryRun: true, cursor },
        });
  return { status: answer.status, code: answer.status < 300 ? null : answer.body.code };
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const ID = '01993d5a-7c00-7000-8000-000000000001';
const TIME = '2026-11-20T09:30:00.000Z';

const FORGED: readonly (readonly [string, unknown])[] = [
  ['a day that does not exist', [2, '2026-99-99T99:99:99.999Z', ID]],
  ['the 30th of February', [2, '2026-02-30T00:00:00.000Z', ID]],
  ['an hour that does not exist', [2, '2026-02-01T24:00:00.000Z', ID]],
  ['the year 0', [2, '0000-01-01T00:00:00.000Z', ID]],
  ['the year 9999', [2, '9999-12-31T23:59:59.999Z', ID]],
  ['a time of the year 12026', [2, '+012026-12-31T23:59:59.999Z', ID]],
  ['NUL in a time', [2, '2026-11-20T09:30:00.000Z\0', ID]],
  ['NUL in an id', [2, TIME, '\0']],
  ['a half surrogate for an id', [2, TIME, '\ud800']],
  ['no id', [2, TIME, '']],
  ['a number for an id', [2, TIME, 1]],
  ['an object for a time', [2, { toString: 1 }, ID]],
  ['a page before the second', [1, TIME, ID]],
  ['a page beyond any number', [Number.MAX_SAFE_INTEGER + 3, TIME, ID]],
  ['the last safe page', [Number.MAX_SAFE_INTEGER, TIME, ID]],
  ['half a page', [2.5, TIME, ID]],
  ['too much', [2, TIME, ID, ID]],
  ['too little', [2]],
  ['nothing', []],
  ['no array', { page: 2 }],
  ['only an invalid id', [2, '\ud800\0']],
];

describe.each(LISTS.map(({ operationId }) => operationId))('%s', (operationId) => {
  test.each(FORGED)('refuses a cursor with %s', async (_what, value) => {
    expect(await ask(operationId, encoded(value))).toEqual({ status: 400, code: 'INVALID_CURSOR' });
  });

  test.each(['null', '%', '{}', 'WzIs', 'AAAA', '\u0000', '=', '[2]'])('refuses %j', async (text) => {
    expect(await ask(operationId, text)).toEqual({ status: 400, code: 'INVALID_CURSOR' });
  });

  const page = fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.constant(2), fc.string());
  const digit = fc.constantFrom(...'0123456789');
  const digits = (count: number) =>
    fc.array(digit, { minLength: count, maxLength: count }).map((all) => all.join(''));
  const time = fc.oneof(
    fc
      .tuple(digits(4), digits(2), digits(2), digits(2), digits(2), digits(2), digits(3))
      .map(([y, mo, d, h, mi, s, ms]) => `${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`),
    fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
    fc.string({ unit: 'binary' }),
  );
  const id = fc.oneof(fc.uuid(), fc.string({ unit: 'binary' }), fc.jsonValue());
  const cursor = fc.oneof(
    fc.tuple(page, time, id).map(encoded),
    fc.tuple(page, id).map(encoded),
    fc.jsonValue().map(encoded),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
  );

  test('answers whatever a cursor contains', async () => {
    await fc.assert(
      fc.asyncProperty(
        cursor.filter((text) => text.length <= 512),
        async (text) => {
          const { status, code } = await ask(operationId, text);
          expect([null, 'INVALID_CURSOR']).toContain(code);
          expect([200, 202, 400]).toContain(status);
        },
      ),
      { numRuns: 60, examples: FORGED.map(([, value]): [string] => [encoded(value)]) },
    );
  }, 30_000);
});

test('the lists cover all that exist', () => {
  expect(LISTS.map(({ operationId }) => operationId).sort()).toEqual([
    'auditAttestations',
    'auditIncidents',
    'auditPackages',
    'auditSignals',
    'listApiKeys',
    'listAttestations',
    'listAuditors',
    'listAudits',
    'listCorrelations',
    'listCustomers',
    'listDeadLetters',
    'listIncidents',
    'listOwnApiKeys',
    'listPackages',
    'listPolicies',
    'listRetentionPolicies',
    'listSandboxVersions',
    'listSandboxes',
    'listSignals',
    'replayDeadLetters',
  ]);
});
