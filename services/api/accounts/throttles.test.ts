import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { networkOf } from '../operations/limits/address-buckets.ts';
import { newAddress, newEmail, PASSWORD, signIn, signUp } from '../testing/accounts.ts';
import { type Answered, type Harness, startHarness } from '../testing/harness.ts';
import { paySignUp } from './throttles.ts';

let harness: Harness;
beforeEach(async () => {
  const at = Date.now();
  harness = await startHarness({ clock: () => at });
});
afterEach(() => harness.close());

const statuses = (answers: readonly Answered[]): number[] => answers.map(({ status }) => status);
const inTurn = async (count: number, ask: () => Promise<Answered>): Promise<Answered[]> => {
  const answers: Answered[] = [];
  for (let n = 0; n < count; n += 1) answers.push(await ask());
  return answers;
};

describe('sign-ups', () => {
  test('are limited to five an hour per address', async () => {
    const remoteAddress = newAddress();
    const answers = await inTurn(6, () => signUp(harness, {}, { remoteAddress }));
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201, 429]);
    expect(answers[5]!.headers['retry-after']).toBe('720');
    expect((await signUp(harness)).status).toBe(201);
    harness.skew += 720_000;
    expect(statuses(await inTurn(2, () => signUp(harness, {}, { remoteAddress })))).toEqual([201, 429]);
  });

  test('with a taken email count, so few emails can be probed', async () => {
    const email = newEmail();
    await signUp(harness, { email });
    const remoteAddress = newAddress();
    const answers = await inTurn(6, () => signUp(harness, { email }, { remoteAddress }));
    expect(statuses(answers)).toEqual([409, 409, 409, 409, 409, 429]);
  });

  test('from an IPv6 network count together, and invalid requests do not count', async () => {
    const from = (n: number) => ({ remoteAddress: `2001:db8:0:7::${n}` });
    for (let n = 0; n < 8; n += 1)
      expect((await signUp(harness, { password: 'short' }, from(n))).status).toBe(400);
    const answers: Answered[] = [];
    for (let n = 0; n < 6; n += 1) answers.push(await signUp(harness, {}, from(n)));
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201, 429]);
  });

  test('from 200 networks at their limit leave room for others', async () => {
    const { admission } = harness.state;
    let made = 0;
    for (let n = 0; n < 200; n += 1)
      for (let asked = 0; asked < 5; asked += 1)
        made += await paySignUp(admission, `10.0.${n}.1`).then(
          () => 1,
          () => 0,
        );
    expect(made).toBe(686);
    expect((await signUp(harness)).status).toBe(201);
  });

  test('from the networks of one site are limited to a hundred an hour', async () => {
    const { admission } = harness.state;
    const asked = Array.from(
      { length: 101 },
      (_, n) => () => paySignUp(admission, networkOf(`2001:db8:7:${n}::1`)),
    );
    for (const ask of asked.slice(0, 100)) await ask();
    await expect(asked[100]!()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await paySignUp(admission, networkOf('2001:db8:8::1'));
  });

  test('from all addresses together are limited to a thousand an hour', async () => {
    await harness.state.admission.takeFrom('sign-up', { ratePerSecond: 1_000 / 3_600, burst: 1_000 }, 999);
    expect(statuses([await signUp(harness), await signUp(harness)])).toEqual([201, 429]);
  });
});

describe('sign-in attempts', () => {
  test('stop after ten failures, even with the right password and for an unknown account', async () => {
    const email = newEmail();
    await signUp(harness, { email });
    for (const tried of [email, 'nobody@example.org']) {
      const failed = await inTurn(10, () => signIn(harness, tried, 'wrong'));
      expect(new Set(statuses(failed))).toEqual(new Set([401]));
      const refused = await signIn(harness, tried.toUpperCase());
      expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
        429,
        'RATE_LIMITED',
        '60',
      ]);
    }
    harness.skew += 60_000;
    expect((await signIn(harness, email)).status).toBe(200);
  });

  test('do not count against the account when they succeed', async () => {
    const email = newEmail();
    await signUp(harness, { email });
    expect(new Set(statuses(await inTurn(15, () => signIn(harness, email))))).toEqual(new Set([200]));
  });

  test('by others do not lock a user out of a network that it has signed in from', async () => {
    const email = newEmail();
    const home = { remoteAddress: newAddress() };
    await signUp(harness, { email }, home);
    await inTurn(11, () => signIn(harness, email, 'wrong'));
    expect((await signIn(harness, email)).status).toBe(429);
    expect((await signIn(harness, email, PASSWORD, home)).status).toBe(200);
    const failed = await inTurn(11, () => signIn(harness, email, 'wrong', home));
    expect(statuses(failed)).toEqual([...Array<number>(10).fill(401), 429]);
  });

  test('are limited to thirty at once per address, whatever the accounts', async () => {
    const remoteAddress = newAddress();
    const answers = await inTurn(31, () => signIn(harness, newEmail(), 'wrong', { remoteAddress }));
    expect(statuses(answers)).toEqual([...Array<number>(30).fill(401), 429]);
    expect(answers[30]!.headers['retry-after']).toBe('2');
    harness.skew += 2_000;
    expect((await signIn(harness, newEmail(), 'wrong', { remoteAddress })).status).toBe(401);
  });

  test('beyond the queue get 429, first those of the address with the most', async () => {
    const remoteAddress = newAddress();
    const answers = Promise.all(
      Array.from({ length: 20 }, () => signIn(harness, newEmail(), 'wrong', { remoteAddress })),
    );
    const other = signIn(harness, newEmail(), 'wrong');
    const refused = (await answers).filter(({ status }) => status === 429);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['TOO_MANY_AT_ONCE']));
    expect(refused.length).toBeGreaterThan(0);
    expect((await other).status).toBe(401);
  });

  test('from 150 addresses at once do not block other sign-ins', async () => {
    const [email, home] = [newEmail(), { remoteAddress: newAddress() }];
    await signUp(harness, { email }, home);
    const crowd = Array.from({ length: 150 }, () =>
      signIn(harness, newEmail(), 'wrong', { remoteAddress: newAddress() }),
    );
    const answers = await Promise.all([
      signIn(harness, email, PASSWORD, home),
      signIn(harness, email, PASSWORD, { remoteAddress: newAddress() }),
      signUp(harness, {}, { remoteAddress: newAddress() }),
    ]);
    expect(statuses(answers)).toEqual([200, 200, 201]);
    await Promise.all(crowd);
  });
});
