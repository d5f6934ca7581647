import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from '#jest';
import { API_KEYS, CUSTOMERS, type Documents, SESSIONS, type State } from '#platform/state/port.ts';
import { AUDITORS } from '#records/auditors/auditor-record.ts';
import { CORRELATION_SETTINGS } from '#records/correlations/settings-record.ts';
import { SANDBOXES } from '#records/documents/sandbox-record.ts';
import { POLICIES } from '#records/policies/policy-record.ts';
import { RETENTION_POLICIES } from '#records/retention/policy-record.ts';
import { USERS } from '#records/users/user-record.ts';
import { newEmail, PASSWORD, pageOf, signUp } from './testing/accounts.ts';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from './testing/harness.ts';

/** Requests that lose every write to others are refused for the moment, and succeed when repeated. */

/** Every change of a document in this collection loses. */
let contended: string | null = null;

const wrapState = (state: State): State => {
  const write: Documents['write'] = async (scope, writes, claims) => {
    const lost = writes.find(({ collection, unchanged }) => collection === contended && unchanged !== true);
    return lost === undefined
      ? state.documents.write(scope, writes, claims)
      : { ok: false, conflict: { collection: lost.collection, id: lost.id } };
  };
  const { get, list, ids, claimed, pending, clearPending, withPending } = state.documents;
  const documents = { get, list, ids, claimed, pending, clearPending, withPending, write };
  return { ...state, documents };
};

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness({ wrapState });
});
afterAll(() => harness.close());
beforeEach(async () => {
  contended = null;
  customer = await harness.customer();
});

type Asked = (made: {
  readonly id: string;
  readonly sandboxId: string;
  readonly keyId: string;
}) => InjectOptions;

const sandbox = { name: 'Support', slug: 'support', sandboxType: 'CUSTOM' };
const POST = { method: 'POST' } as const;
const PATCH = { method: 'PATCH' } as const;
const DELETE = { method: 'DELETE' } as const;

test.each<[string, string, number, Asked]>([
  [
    'a new sandbox',
    SANDBOXES,
    201,
    () => ({ ...POST, url: '/sandboxes', payload: { ...sandbox, slug: 'billing' } }),
  ],
  [
    'a changed sandbox',
    SANDBOXES,
    200,
    ({ sandboxId }) => ({ ...PATCH, url: `/sandboxes/${sandboxId}`, payload: { name: 'Other' } }),
  ],
  ['a deleted sandbox', SANDBOXES, 200, ({ sandboxId }) => ({ ...DELETE, url: `/sandboxes/${sandboxId}` })],
  [
    'a new API key',
    API_KEYS,
    201,
    ({ id }) => ({ ...POST, url: `/internal/customers/${id}/api-keys`, payload: { name: 'ci' } }),
  ],
  [
    'a revoked API key',
    API_KEYS,
    200,
    ({ id, keyId }) => ({ ...DELETE, url: `/internal/customers/${id}/api-keys/${keyId}` }),
  ],
  [
    'a changed customer',
    CUSTOMERS,
    200,
    ({ id }) => ({ ...PATCH, url: `/internal/customers/${id}`, payload: { name: 'Other' } }),
  ],
  [
    'a new auditor',
    AUDITORS,
    201,
    () => ({ ...POST, url: '/evidence/auditors', payload: { name: 'Ada', permissions: ['READ_SIGNALS'] } }),
  ],
  [
    'a new policy',
    POLICIES,
    201,
    () => ({ ...POST, url: '/evidence/policies', payload: { name: 'P', framework: 'GDPR' } }),
  ],
  [
    'a new retention policy',
    RETENTION_POLICIES,
    201,
    () => ({
      ...POST,
      url: '/evidence/retention/policies',
      payload: { name: 'R', retentionDays: 400, action: 'DELETE' },
    }),
  ],
  [
    'changed settings of patterns',
    CORRELATION_SETTINGS,
    200,
    () => ({ ...PATCH, url: '/evidence/correlations/settings', payload: { minSignals: 7 } }),
  ],
])('%s', async (_what, collection, statusCode, asked) => {
  const { headers } = customer;
  const made = await harness.call({ ...POST, url: '/sandboxes', headers, payload: sandbox });
  const keyId = (await harness.state.documents.ids(customer.id, API_KEYS))[0]!;
  const request = {
    headers: { ...headers, ...internalHeaders },
    ...asked({ id: customer.id, sandboxId: made.body.data.id, keyId }),
  };
  contended = collection;
  const refused = await harness.call(request);
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    503,
    'UNAVAILABLE',
    '1',
  ]);
  contended = null;
  expect((await harness.call(request)).status).toBe(statusCode);
});

test('a contended sign-in or sign-out gets 503, and succeeds when repeated', async () => {
  const email = newEmail();
  const page = pageOf(await signUp(harness, { email }));
  const opens = { ...POST, url: '/sessions', payload: { email, password: PASSWORD } };
  const ends = { ...DELETE, url: '/sessions', headers: page };
  for (const [collection, request, statusCode] of [
    [USERS, opens, 200],
    [SESSIONS, ends, 204],
  ] as const) {
    contended = collection;
    const refused = await harness.call(request);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    contended = null;
    expect((await harness.call(request)).status).toBe(statusCode);
  }
});
