import { afterAll, beforeAll, expect, test } from '#jest';
import { LEDGER } from '#schemas/topics.ts';
import { type Answered, type Harness, internalHeaders, startHarness } from '../../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../../testing/real-warehouse.ts';
import { openTestSession, type TestSession } from '../../testing/sessions.ts';
import { sinkOf } from '../../testing/sink-of.ts';

let real: RealWarehouse;
let harness: Harness;
beforeAll(async () => {
  real = await startRealWarehouse();
  harness = await startHarness({ warehouse: real.warehouse });
}, 60_000);
afterAll(async () => {
  await harness?.close();
  await real?.close();
});

test('a signed-in user acts as itself, whichever user the request names, under the same segregation', async () => {
  const customer = await harness.customer();
  const [ann, ben] = [
    await openTestSession(harness, customer.id),
    await openTestSession(harness, customer.id),
  ];
  const signal = { customerId: customer.id, sandboxSlug: 'here', provider: 'openai', model: 'gpt-5' };
  await harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: ann.headers,
    payload: { name: 'S', slug: 'here', sandboxType: 'PII_DETECTION' },
  });
  const { body } = await harness.call({
    method: 'POST',
    url: '/internal/signal',
    headers: internalHeaders,
    payload: { ...signal, riskLevel: 'HIGH', violations: ['EMAIL'], reasoning: 'Found something.' },
  });
  await harness.settled();
  await sinkOf(harness, real, 1).fold(LEDGER.name);

  const opened = await harness.call({
    method: 'POST',
    url: '/evidence/incidents',
    headers: ann.headers,
    payload: { signalId: body.auditId },
  });
  const { id, createdByKeyId } = opened.body.data as { id: string; createdByKeyId: string };
  expect(createdByKeyId).toBe(`user:${ann.userId}`);
  const move = (headers: TestSession['headers'], status: string, userId?: string): Promise<Answered> =>
    harness.call({
      method: 'PATCH',
      url: `/evidence/incidents/${id}/status`,
      headers,
      payload: { status, userRole: 'DPO', ...(userId === undefined ? {} : { userId }) },
    });
  const forbidden = [403, 'SEGREGATION_OF_DUTIES'];

  const started = await move(ann.headers, 'INVESTIGATING');
  expect([started.status, started.body.data.investigatorId]).toEqual([200, ann.userId]);
  const byKey = await move(customer.headers, 'RESOLVED');
  expect([byKey.status, byKey.body.code, byKey.body.message]).toEqual([
    400,
    'INVALID_REQUEST',
    'userId: required with an API key: name the user who makes the change',
  ]);
  const resolved = await move(ann.headers, 'RESOLVED', 'somebody else');
  expect(resolved.body.data).toMatchObject({ investigatorId: ann.userId, resolverId: ann.userId });
  expect(resolved.body.data.history.at(-1)).toMatchObject({
    userId: ann.userId,
    assertedByKeyId: `user:${ann.userId}`,
  });
  const own = await move(ann.headers, 'VERIFIED', ben.userId);
  expect([own.status, own.body.code]).toEqual(forbidden);
  const verified = await move(ben.headers, 'VERIFIED', ann.userId);
  expect([verified.status, verified.body.data.verifierId]).toEqual([200, ben.userId]);
  // A user named in a request with a key counts like a signed-in one.
  const closed = await move(customer.headers, 'CLOSED', ann.userId);
  expect([closed.status, closed.body.code]).toEqual(forbidden);
});
