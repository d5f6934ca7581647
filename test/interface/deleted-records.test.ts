import { afterAll, beforeAll, expect, test } from '#jest';
import type { RouteContract } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { createSandbox } from '#schemas/api/sandboxes.ts';
import { type Answered, type Harness, internalHeaders, startHarness } from '#services/api/testing/harness.ts';
import { type Records, referencesOf, requestOf } from './requests.ts';

/** What can still be read of a deleted record and everything below its address. */

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** Operations that still answer for a deleted record as described, with checks of their response. */
const ANSWERS_STILL: Readonly<Record<string, (answer: Answered['body']) => void>> = {
  listSandboxVersions: ({ data }) => expect(data[0].changedFields).toEqual(['deletedAt']),
  getSandboxVersion: ({ version, sandbox }) => expect([version, sandbox.deletedAt]).toEqual([1, undefined]),
  getCustomer: ({ erasure }) => expect(erasure).toEqual(expect.any(Object)),
  listApiKeys: ({ data }) => expect(data).toEqual([]),
  listDamage: ({ data }) => expect(data).toEqual([]),
};

/** Error responses other than 404. */
const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  updateCustomer: [409, 'CUSTOMER_ERASED'],
};

const lastParameter = /\/:\w+$/;
const DELETIONS = ROUTES.filter(({ method, path }) => method === 'DELETE' && lastParameter.test(path)).map(
  (deletion) => ({
    deletion,
    creation: ROUTES.find(
      ({ method, path }) => method === 'POST' && path === deletion.path.replace(lastParameter, ''),
    ),
    below: ROUTES.filter(
      ({ method, path }) => ['GET', 'PATCH'].includes(method) && `${path}/`.startsWith(`${deletion.path}/`),
    ),
  }),
);
const CASES = DELETIONS.flatMap(({ deletion, creation, below }) =>
  below.map((route) => [route.operationId, { deletion, creation, route }] as const),
);

test('covers sandboxes, policies of both kinds and customers', () => {
  expect([...new Set(CASES.map(([, { deletion }]) => deletion.operationId))].sort()).toEqual([
    'deletePolicy',
    'deleteRetentionPolicy',
    'deleteSandbox',
    'eraseCustomer',
  ]);
  expect(CASES.map(([id]) => id)).toEqual(expect.arrayContaining(Object.keys(ANSWERS_STILL)));
});

test.each(CASES)('%s returns 404 for a deleted record, or answers as described', async (id, one) => {
  const customer = await harness.customer();
  const call = (route: RouteContract, records?: Records): Promise<Answered> => {
    const { method, url, body } = requestOf(route, records && { records });
    const headers = route.auth === 'internal' ? internalHeaders : customer.headers;
    return harness.call({ method, url, headers, ...(body === undefined ? {} : { payload: body as object }) });
  };
  const sandbox = await call(createSandbox);
  const own = { sandboxId: sandbox.body.id, sandboxSlug: sandbox.body.slug };
  const created = one.creation === createSandbox ? sandbox : await call(one.creation!, own);
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  const [reference] = referencesOf(one.deletion);
  const records = { ...own, [reference!.sample]: (created.body.data ?? created.body).id };
  const before = await call(one.route, records);
  expect([before.status, before.body.message]).toEqual([200, undefined]);

  expect((await call(one.deletion, records)).status).toBeLessThan(300);
  const { status, body } = await call(one.route, records);
  expect([status, body.code]).toEqual(
    id in ANSWERS_STILL ? [200, undefined] : (REFUSALS[id] ?? [404, 'NOT_FOUND']),
  );
  ANSWERS_STILL[id]?.(body);
});
