import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { SESSION_IDLE_MS, SESSION_LIFE_MS, SESSIONS } from '#platform/state/port.ts';
import { USERS } from '#records/users/user-record.ts';
import { cookieOf, newEmail, PASSWORD, pageOf, signIn, signUp } from '../testing/accounts.ts';
import {
  type Answered,
  type Harness,
  INTERNAL_SECRET,
  internalHeaders,
  startHarness,
} from '../testing/harness.ts';

let harness: Harness;
beforeAll(async () => {
  const at = Date.now();
  harness = await startHarness({ clock: () => at });
});
afterAll(() => harness.close());

const current = (headers: Readonly<Record<string, string>>): Promise<Answered> =>
  harness.call({ url: '/sessions/current', headers });
const outcome = ({ status, body }: Answered) => [status, body.code];

describe('signing up', () => {
  test('creates a customer with its user, and signs in', async () => {
    const email = newEmail();
    const answer = await signUp(harness, { email, name: 'Roe & Co', type: 'COMPANY' });
    expect(answer.status).toBe(201);
    const { user, customer, csrfToken } = answer.body;
    expect(user).toMatchObject({ email });
    expect(customer).toMatchObject({ name: 'Roe & Co', type: 'COMPANY', plan: 'DEV' });
    expect(answer.body.data).toEqual({ user, customer, csrfToken });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toMatch(
      /^cas_session=[0-9a-f]{96}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const seen = await current(pageOf(answer));
    expect(seen.body).toEqual(answer.body);
    const listed = await harness.call({
      url: `/internal/customers/${customer.id}`,
      headers: internalHeaders,
    });
    expect(listed.body).toMatchObject({ name: 'Roe & Co', plan: 'DEV', active: true });
  });

  test('with a taken email, in any case, answers 409 and creates no customer', async () => {
    const email = newEmail();
    await signUp(harness, { email });
    const before = (await harness.call({ url: '/internal/customers', headers: internalHeaders })).body
      .pagination;
    const again = await signUp(harness, { email: email.toUpperCase() });
    expect([...outcome(again), again.headers['set-cookie']]).toEqual([409, 'EMAIL_TAKEN', undefined]);
    const after = (await harness.call({ url: '/internal/customers', headers: internalHeaders })).body
      .pagination;
    expect(after.total).toBe(before.total);
  });

  test('concurrently with one email creates one account', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 6 }, () => signUp(harness, { email })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await signIn(harness, email)).status).toBe(200);
  });

  test.each([
    ['a short password', { password: 'x'.repeat(11) }],
    ['eleven characters of two units each', { password: '🦉'.repeat(11) }],
    ['a long password', { password: 'x'.repeat(129) }],
    ['129 characters of two units each', { password: '🦉'.repeat(129) }],
    ['twelve blanks for a password', { password: ' '.repeat(12) }],
    ['a common password', { password: 'Password1234' }],
    ['no email', { email: 'ann' }],
    ['two emails', { email: 'ann@example.org, bob@example.org' }],
    ['a long email', { email: `${'x'.repeat(250)}@x.org` }],
    ['a name without characters', { name: '' }],
    ['another type', { type: 'ROBOT' }],
    ['a list of passwords', { password: [PASSWORD] }],
  ])('with %s answers 400 and repeats no input', async (_what, fields) => {
    const answer = await signUp(harness, fields);
    expect(outcome(answer)).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.text).not.toContain(PASSWORD);
  });

  /** This many characters of two units each. */
  const owls = (count: number): string =>
    Array.from({ length: count }, (_, at) => String.fromCodePoint(0x1f300 + ((at * 7) % 97))).join('');

  test.each([owls(12), owls(128), 'zwölf Boxkämpfer '.repeat(8).slice(0, 128), 'a b c d e f  '])(
    'accepts the password %s',
    async (password) => {
      const email = newEmail();
      expect((await signUp(harness, { email, password })).status).toBe(201);
      expect((await signIn(harness, email, password)).status).toBe(200);
    },
  );

  test('answers 403 to everyone when sign-up is closed', async () => {
    const closed = await startHarness({ settings: { isSignupOpen: false } });
    try {
      expect(outcome(await signUp(closed))).toEqual([403, 'SIGNUP_CLOSED']);
    } finally {
      await closed.close();
    }
  });
});

describe('signing in', () => {
  test('ignores the case of the email, and how a password is composed', async () => {
    const email = newEmail();
    const made = await signUp(harness, { email, password: 'caf\u00e9 d\u00e9j\u00e0 vu' });
    const answer = await signIn(harness, email.toUpperCase(), 'cafe\u0301 de\u0301ja\u0300 vu');
    expect(answer.status).toBe(200);
    expect([answer.body.user, answer.body.customer]).toEqual([made.body.user, made.body.customer]);
    expect(answer.body.csrfToken).not.toBe(made.body.csrfToken);
  });

  test('gives one answer for a wrong email, a wrong password and an unknown user', async () => {
    const email = newEmail();
    await signUp(harness, { email });
    const answers = [
      await signIn(harness, email, 'seven quiet grey heron'),
      await signIn(harness, 'nobody@example.org'),
      await signIn(harness, 'no email at all'),
      await signIn(harness, email, 'x'),
    ];
    const bodies = answers.map(({ body: { requestId: _id, ...body } }) => body);
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect(outcome(answers[0]!)).toEqual([401, 'INVALID_CREDENTIALS']);
    const names = answers.map(({ headers }) => Object.keys(headers).sort());
    for (const one of names) expect(one).toEqual(names[0]);
    expect(answers.flatMap(({ headers }) => headers['set-cookie'] ?? [])).toEqual([]);
  });

  test.each([
    ['nothing', {}],
    ['an email alone', { email: 'ann@example.org' }],
    ['an object for an email', { email: {}, password: PASSWORD }],
    ['a number for a token', { linkToken: 1 }],
    ['a list', []],
    ['null', null],
  ])('with %s answers 400', async (_what, payload) => {
    const answer = await harness.call({
      method: 'POST',
      url: '/sessions',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
    expect(outcome(answer)).toEqual([400, 'INVALID_REQUEST']);
  });

  test('from another site’s form answers 415, because a browser sends no cross-site JSON unasked', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      for (const url of ['/sessions', '/accounts']) {
        const payload = JSON.stringify({ email: 'ann@example.org', password: PASSWORD });
        const answer = await harness.call({
          method: 'POST',
          url,
          headers: { 'content-type': type },
          payload,
        });
        expect(outcome(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      }
  });

  test('makes a new token each time, and ends the request’s previous session', async () => {
    const email = newEmail();
    const first = await signUp(harness, { email });
    const second = await signIn(harness, email, PASSWORD, { headers: { cookie: cookieOf(first) } });
    expect(second.status).toBe(200);
    expect(cookieOf(second)).not.toBe(cookieOf(first));
    expect(outcome(await current(pageOf(first)))).toEqual([401, 'INVALID_SESSION']);
    expect((await current(pageOf(second))).status).toBe(200);
    // Neither a failed attempt nor a sign-in elsewhere ends the session.
    await signIn(harness, email, 'wrong', { headers: { cookie: cookieOf(second) } });
    await signIn(harness, email);
    expect((await current(pageOf(second))).status).toBe(200);
    // As another user: the browser has one session.
    const other = await signUp(harness, {}, { headers: { cookie: cookieOf(second) } });
    expect(other.status).toBe(201);
    expect(outcome(await current(pageOf(second)))).toEqual([401, 'INVALID_SESSION']);
  });

  test('works with hostile cookies, and ends no session', async () => {
    const email = newEmail();
    const made = await signUp(harness, { email });
    const value = cookieOf(made).split('=')[1]!;
    for (const cookie of [
      'cas_session=',
      'cas_session',
      'cas_session=__proto__',
      `cas_session=${'0'.repeat(96)}`,
      `cas_session=${value.slice(32).padStart(96, 'f')}`,
      `a=cas_session=${value}`,
      `;;;=;cas_session=%00${value}`,
      `cas_session="${value}"`,
      `__Host-cas_session=${value}`,
      `x=${'y'.repeat(8_000)}`,
    ])
      expect([cookie, (await signIn(harness, email, PASSWORD, { headers: { cookie } })).status]).toEqual([
        cookie,
        200,
      ]);
    expect((await current(pageOf(made))).status).toBe(200);
  });

  test('behind TLS sets and accepts a Secure cookie limited to this host', async () => {
    const proxied = await startHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
    try {
      const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
      const email = newEmail();
      const made = await signUp(proxied, { email }, { remoteAddress: '127.0.0.1', headers: tls });
      expect(made.headers['set-cookie']).toMatch(
        /^__Host-cas_session=[0-9a-f]{96}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
      const see = (cookie: string) =>
        proxied.call({ url: '/sessions/current', remoteAddress: '127.0.0.1', headers: { ...tls, cookie } });
      expect((await see(cookieOf(made))).status).toBe(200);
      // A neighbouring host can set this one.
      expect(outcome(await see(cookieOf(made).replace('__Host-', '')))).toEqual([401, 'MISSING_SESSION']);
    } finally {
      await proxied.close();
    }
    // Only a trusted proxy is believed.
    const plain = await signUp(harness, {}, { headers: { 'x-forwarded-proto': 'https' } });
    expect(plain.headers['set-cookie']).not.toContain('Secure');
  });
});

describe('a session', () => {
  test('ends when its user signs out, and other sessions stay', async () => {
    const email = newEmail();
    const [one, other] = [await signUp(harness, { email }), await signIn(harness, email)];
    const out = await harness.call({ method: 'DELETE', url: '/sessions', headers: pageOf(one) });
    expect([out.status, out.text]).toEqual([204, '']);
    expect(out.headers['set-cookie']).toBe('cas_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
    expect(outcome(await current(pageOf(one)))).toEqual([401, 'INVALID_SESSION']);
    expect(outcome(await harness.call({ method: 'DELETE', url: '/sessions', headers: pageOf(one) }))).toEqual(
      [401, 'INVALID_SESSION'],
    );
    expect((await current(pageOf(other))).status).toBe(200);
  });

  test('is not ended without its own CSRF token', async () => {
    const [one, other] = [await signUp(harness), await signUp(harness)];
    const { cookie = '' } = pageOf(one);
    for (const headers of [{ cookie }, { cookie, 'x-csrf-token': other.body.csrfToken }]) {
      const answer = await harness.call({ method: 'DELETE', url: '/sessions', headers });
      expect(outcome(answer)).toEqual([403, 'CSRF']);
    }
    expect((await current({ cookie })).status).toBe(200);
  });

  test('ends twelve hours after its last request', async () => {
    const page = pageOf(await signUp(harness));
    for (let n = 0; n < 3; n += 1) {
      harness.skew += SESSION_IDLE_MS - 60_000;
      expect((await current(page)).status).toBe(200);
    }
    harness.skew += SESSION_IDLE_MS;
    expect(outcome(await current(page))).toEqual([401, 'INVALID_SESSION']);
  });

  test('ends thirty days after it was opened', async () => {
    const page = pageOf(await signUp(harness));
    const end = harness.skew + SESSION_LIFE_MS;
    while (harness.skew + SESSION_IDLE_MS < end) {
      harness.skew += SESSION_IDLE_MS - 60_000;
      expect((await current(page)).status).toBe(200);
    }
    harness.skew = end;
    expect(outcome(await current(page))).toEqual([401, 'INVALID_SESSION']);
  });

  test('ends with its customer, whose email no longer signs in', async () => {
    const email = newEmail();
    const made = await signUp(harness, { email });
    const url = `/internal/customers/${made.body.customer.id}`;
    await harness.call({ method: 'DELETE', url, headers: internalHeaders });
    expect(outcome(await current(pageOf(made)))).toEqual([401, 'INVALID_SESSION']);
    expect(outcome(await signIn(harness, email))).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('has ten requests a second and fifty at once, apart from the customer’s rate', async () => {
    const made = await signUp(harness);
    const answers = await Promise.all(Array.from({ length: 60 }, () => current(pageOf(made))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    const refused = answers.find(({ status }) => status !== 200)!;
    expect(outcome(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '50', 'retry-after': '1' });
    const rate = await harness.state.admission.takeRate(made.body.customer.id, 0);
    expect(rate.remaining).toBe(50);
    harness.skew += 1_000;
    const later = await Promise.all(Array.from({ length: 20 }, () => current(pageOf(made))));
    expect(later.filter(({ status }) => status === 200)).toHaveLength(10);
  });
});

test('neither passwords nor tokens are stored', async () => {
  const email = newEmail();
  const made = await signUp(harness, { email });
  const { customer } = made.body;
  const stored = JSON.stringify([
    await harness.state.documents.list(customer.id, USERS),
    await harness.state.documents.list(customer.id, SESSIONS),
  ]);
  expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  for (const secret of [PASSWORD, cookieOf(made).slice(-64), made.body.csrfToken, INTERNAL_SECRET])
    expect(stored).not.toContain(secret);
});
