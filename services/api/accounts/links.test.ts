import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { createLinkUser } from '#records/users/accounts.ts';
import { LINK_MS, makeSignInLink } from '#records/users/sign-in-links.ts';
import { newAddress, newEmail, PASSWORD, pageOf } from '../testing/accounts.ts';
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
    ...[
      { 'x-forwarded-for': '192.0.2.1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=192.0.2.1' },
      { via: '1.1 proxy' },
      { 'x-real-ip': '192.0.2.1' },
    ].map(
      (headers) =>
        [`an untrusted proxy on this machine with ${JSON.stringify(headers)}`, { headers }] as const,
    ),
    [
      'an untrusted proxy before a trusted one',
      { remoteAddress: '127.0.0.9', headers: { 'x-forwarded-for': '192.0.2.1, 127.0.0.2' } },
    ],
    [
      'a trusted proxy that does not report the client’s address',
      { remoteAddress: '127.0.0.9', headers: { via: '1.1 proxy' } },
    ],
  ])('does not work from %s, and stays usable', async (_what, more) => {
    const token = await link();
    expect((await use(token, more)).body.code).toBe('INVALID_LINK');
    expect((await use(token, { remoteAddress: '::ffff:127.0.0.1' })).status).toBe(200);
  });

  test('works through a trusted proxy that reports a client on this machine', async () => {
    const through = { 'x-forwarded-for': '127.3.2.1', 'x-real-ip': '127.3.2.1', via: '1.1 proxy' };
    const answer = await use(await link(), { remoteAddress: '127.0.0.9', headers: through });
    expect(answer.status).toBe(200);
  });

  test.each(['x', '0'.repeat(64), '../'.repeat(20), ' '])(
    'does not sign in with the token %j',
    async (token) => {
      expect((await use(token)).body.code).toBe('INVALID_LINK');
    },
  );
});

test('a link made earlier does not work once its user has a password', async () => {
  const other = await harness.customer();
  const id = harness.dependencies.newId(harness.dependencies.now());
  await createLinkUser(harness.state.documents, {
    customerId: other.id,
    userId: id,
    at: new Date().toISOString(),
  });
  const [first, second] = await Promise.all(
    [1, 2].map(() =>
      makeSignInLink(harness.state.expiring, randomBytes, { customerId: other.id, userId: id }),
    ),
  );
  const kept = await harness.call({
    method: 'POST',
    url: '/users/current/credentials',
    remoteAddress: newAddress(),
    headers: pageOf(await use(first!)),
    payload: { email: newEmail(), password: PASSWORD },
  });
  expect(kept.status).toBe(200);
  const { status, body, headers } = await use(second!);
  expect([status, body.code, headers['set-cookie']]).toEqual([401, 'INVALID_LINK', undefined]);
});

test('the user of a link has no password', async () => {
  const answer = await harness.call({
    method: 'POST',
    url: '/sessions',
    payload: { email: 'null', password: 'null' },
  });
  expect(answer.body.code).toBe('INVALID_CREDENTIALS');
});
