import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { createLinkUser } from '#records/users/accounts.ts';
import { LINK_SESSION_MS } from '#records/users/set-credentials.ts';
import { makeSignInLink } from '#records/users/sign-in-links.ts';
import { newAddress, newEmail, PASSWORD, pageOf, signIn, signUp } from '../testing/accounts.ts';
import { type Answered, type Harness, internalHeaders, startHarness } from '../testing/harness.ts';

let harness: Harness;
beforeAll(async () => {
  const at = Date.now();
  harness = await startHarness({ clock: () => at });
});
afterAll(() => harness.close());

/** A customer with a user without a password, and the headers of a page opened by its link. */
async function linkedUser() {
  const { id: customerId, headers: keyHeaders } = await harness.customer();
  const userId = harness.dependencies.newId(harness.dependencies.now());
  await createLinkUser(harness.state.documents, { customerId, userId, at: new Date().toISOString() });
  const openPage = async () => {
    const linkToken = await makeSignInLink(harness.state.expiring, randomBytes, { customerId, userId });
    const sent = { method: 'POST', url: '/sessions', remoteAddress: '127.0.0.1' } as const;
    return pageOf(await harness.call({ ...sent, payload: { linkToken } }));
  };
  return { customerId, userId, keyHeaders, openPage, page: await openPage() };
}

const keep = (headers: Readonly<Record<string, string>>, payload: object = {}): Promise<Answered> =>
  harness.call({
    method: 'POST',
    url: '/users/current/credentials',
    remoteAddress: newAddress(),
    headers,
    payload: { email: newEmail(), password: PASSWORD, ...payload },
  });
const outcome = ({ status, body }: Answered) => [status, body.code];

describe('the user of a one-time link', () => {
  test('sets an email and a password that sign in to the same customer', async () => {
    const { customerId, userId, page } = await linkedUser();
    const email = newEmail();
    const kept = await keep(page, { email });
    expect(kept.status).toBe(200);
    expect(kept.body).toMatchObject({ user: { id: userId, email }, customer: { id: customerId } });
    const signedIn = await signIn(harness, email.toUpperCase());
    expect(signedIn.body).toMatchObject({ user: { id: userId }, customer: { id: customerId } });
    expect((await signIn(harness, email, 'another quiet grey heron')).status).toBe(401);
    expect((await harness.call({ url: '/sandboxes', headers: page })).status).toBe(200);
  });

  test('sets them only once, even with concurrent requests', async () => {
    const { page } = await linkedUser();
    const answers = await Promise.all(Array.from({ length: 4 }, () => keep(page)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(outcome(await keep(page))).toEqual([409, 'CONFLICT']);
  });

  test('cannot take another account’s email, and the attempt leaves nothing', async () => {
    const taken = newEmail();
    await signUp(harness, { email: taken });
    const { page } = await linkedUser();
    expect(outcome(await keep(page, { email: taken.toUpperCase() }))).toEqual([409, 'EMAIL_TAKEN']);
    expect((await harness.call({ url: '/sessions/current', headers: page })).body.user.email).toBeNull();
    expect((await keep(page)).status).toBe(200);
  });

  test('needs a session opened by its link in the last 30 minutes', async () => {
    const { page, openPage } = await linkedUser();
    harness.skew += LINK_SESSION_MS;
    expect(outcome(await keep(page))).toEqual([403, 'FRESH_LINK_REQUIRED']);
    expect((await keep(await openPage())).status).toBe(200);
  });

  test.each([
    ['a short password', { password: 'x'.repeat(11) }],
    ['a common password', { password: 'Password1234' }],
    ['its email as the password', { email: 'annlee@example.org', password: 'annlee@example.org' }],
    ['no email', { email: 'ann' }],
  ])('is refused with %s', async (_what, payload) => {
    const { page } = await linkedUser();
    expect(outcome(await keep(page, payload))).toEqual([400, 'INVALID_REQUEST']);
  });

  test('needs the CSRF token, and a session instead of a key', async () => {
    const { page, keyHeaders } = await linkedUser();
    expect(outcome(await keep({ cookie: page.cookie! }))).toEqual([403, 'CSRF']);
    expect(outcome(await keep(keyHeaders))).toEqual([403, 'SESSION_REQUIRED']);
    expect(outcome(await keep({}))).toEqual([401, 'MISSING_SESSION']);
  });
});

test('a user with a password cannot change it here', async () => {
  const email = newEmail();
  const page = pageOf(await signUp(harness, { email }));
  expect(outcome(await keep(page))).toEqual([409, 'CONFLICT']);
  expect((await signIn(harness, email)).status).toBe(200);
});

test('attempts from one address are limited', async () => {
  const { page } = await linkedUser();
  const remoteAddress = newAddress();
  const attempt = () =>
    harness.call({
      method: 'POST',
      url: '/users/current/credentials',
      remoteAddress,
      headers: page,
      payload: { email: newEmail(), password: PASSWORD },
    });
  const statuses = new Set<number>();
  for (let count = 0; count < 32; count += 1) statuses.add((await attempt()).status);
  expect([...statuses]).toEqual([200, 409, 429]);
});

test('the user of an erased customer cannot set credentials', async () => {
  const { customerId, page } = await linkedUser();
  const url = `/internal/customers/${customerId}`;
  await harness.call({ method: 'DELETE', url, headers: internalHeaders });
  expect(outcome(await keep(page))).toEqual([401, 'INVALID_SESSION']);
});
