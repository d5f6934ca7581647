import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { createLinkUser } from '#records/users/accounts.ts';
import { LINK_MS, makeSignInLink } from '#records/users/sign-in-links.ts';
import { pageOf } from '../testing/accounts.ts';
import { type Answered, type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';

let harness: Harness;
let customer: TestCustomer;
let userId: string;
beforeAll(async () => {
  const at = Date.now();
  harness = await startHarness({ clock: () => at, settings: { trustedProxies: ['127.0.0.9'] } });
  customer = await harness.customer();
  userId = harness.dependencies.newId(at);
  const made = { customerId: customer.id, userId, at: new Date(at).toISOString() };
  await createLinkUser(harness.state.documents, made);
});
afterAll(() => harness.close());

const link = (): Promise<string> =>
  makeSignInLink(harness.state.expiring, randomBytes, { customerId: customer.id, userId });
const use = (linkToken: string, more: object = {}): Promise<Answered> =>
  harness.call({
    method: 'POST',
    url: '/sessions',
    remoteAddress: '127.0.0.1',
    payload: { linkToken },
    ...more,
  });

describe('a link', () => {
  test('signs in to its customer, once', async () => {
    const token = await link();
    const answers = await Promise.all(Array.from({ length: 5 }, () => use(token)));
    const [signedIn, ...others] = answers.sort((left, right) => left.status - right.status);
    expect(signedIn!.status).toBe(200);
    expect(signedIn!.body).toMatchObject({
      user: { id: userId, email: null },
      customer: { id: customer.id, plan: 'PRO' },
    });
    expect((await harness.call({ url: '/sandboxes', headers: pageOf(signedIn!) })).status).toBe(200);
    for (const { status, body } of others) expect([status, body.code]).toEqual([401, 'INVALID_LINK']);
  });

  test('works for an hour', async () => {
    const token = await link();
    harness.skew += LINK_MS;
    expect((await use(token)).body.code).toBe('INVALID_LINK');
  });

  test.each([
    ['another machine', { remoteAddress: '192.0.2.1' }],
    [
      'another machine, through a proxy on this one',
      { remoteAddress: '127.0.0.9', headers: { 'x-forwarded-for': '192.0.2.1' } },
    ],
    [
      'another machine that says it is this one',
      { remoteAddress: '192.0.2.1', headers: { 'x-forwarded-for': '127.0.0.1' } },
    ],
  ])('does not work from %s, and stays usable', async (_what, more) => {
    const token = await link();
    expect((await use(token, more)).body.code).toBe('INVALID_LINK');
    expect((await use(token, { remoteAddress: '::ffff:127.0.0.1' })).status).toBe(200);
  });

  test.each(['x', '0'.repeat(64), '../'.repeat(20), ' '])(
    'does not sign in with the token %j',
    async (token) => {
      expect((await use(token)).body.code).toBe('INVALID_LINK');
    },
  );
});

test('the user of a link has no password', async () => {
  const answer = await harness.call({
    method: 'POST',
    url: '/sessions',
    payload: { email: 'null', password: 'null' },
  });
  expect(answer.body.code).toBe('INVALID_CREDENTIALS');
});
