import { afterAll, beforeAll, expect, test } from '#jest';
import { LINK_MS } from '#records/users/sign-in-links.ts';
import { pageOf, signUp } from '../testing/accounts.ts';
import { type Answered, type Harness, internalHeaders, startHarness } from '../testing/harness.ts';

let harness: Harness;
const at = Date.now();
beforeAll(async () => {
  harness = await startHarness({ clock: () => at });
});
afterAll(() => harness.close());

const link = (payload: object = {}, headers: Record<string, string> = internalHeaders): Promise<Answered> =>
  harness.call({ method: 'POST', url: '/internal/sign-in-links', headers, payload });
const signIn = (linkToken: string): Promise<Answered> =>
  harness.call({ method: 'POST', url: '/sessions', remoteAddress: '127.0.0.1', payload: { linkToken } });
const outcome = ({ status, body }: Answered) => [status, body.code];

test('without customers, or if the oldest has no user, there is no workspace of the first start', async () => {
  expect(outcome(await link())).toEqual([404, 'NOT_FOUND']);
  await harness.customer();
  expect(outcome(await link())).toEqual([404, 'NOT_FOUND']);
});

test('a named customer without users gets one, which each link signs in', async () => {
  const customer = await harness.customer();
  const first = await link({ customerId: customer.id });
  expect(first.body).toMatchObject({
    customerId: customer.id,
    expiresAt: new Date(at + LINK_MS).toISOString(),
  });
  const again = await link({ customerId: customer.id });
  const sessions = [await signIn(first.body.linkToken), await signIn(again.body.linkToken)];
  const users = sessions.map(({ body }) => body.user.id);
  expect(users[0]).toBe(users[1]);
  expect((await harness.call({ url: '/sandboxes', headers: pageOf(sessions[0]!) })).status).toBe(200);
});

test('the oldest customer is used if none is named and it has a user without a password', async () => {
  const { body } = await harness.call({ url: '/internal/customers', headers: internalHeaders });
  const oldest = body.data.at(-1).id;
  await link({ customerId: oldest });
  expect((await link()).body.customerId).toBe(oldest);
});

test('no link is made for a customer whose user has a password', async () => {
  const { body } = await signUp(harness, { email: 'ann@example.org' });
  expect(outcome(await link({ customerId: body.customer.id }))).toEqual([409, 'CONFLICT']);
});

test('no link is made for an erased customer, for an unknown one, or without the secret', async () => {
  const customer = await harness.customer();
  await harness.call({
    method: 'DELETE',
    url: `/internal/customers/${customer.id}`,
    headers: internalHeaders,
  });
  expect(outcome(await link({ customerId: customer.id }))).toEqual([409, 'CUSTOMER_ERASED']);
  const unknown = '01993d5a-7c00-7000-8000-0000000000c9';
  expect(outcome(await link({ customerId: unknown }))).toEqual([404, 'NOT_FOUND']);
  for (const headers of [{}, { 'x-internal-secret': 'x'.repeat(24) }, customer.headers])
    expect((await link({}, headers as Record<string, string>)).status).toBe(401);
});
