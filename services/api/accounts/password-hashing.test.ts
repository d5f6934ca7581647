import { describe, expect, test } from '#jest';
import { createPasswordHashing, type Hasher } from './password-hashing.ts';

const passwords = createPasswordHashing();
/** A hasher that is known to the account. */
const from = (network: string, more: Partial<Hasher> = {}): Hasher => ({
  network,
  isKnown: true,
  gone: new AbortController().signal,
  ...more,
});

describe('passwords', () => {
  test('match only their own hash, however they are composed', async () => {
    const stored = await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9')).not.toBe(stored);
    expect(await passwords.matches('cafe\u0301 cafe\u0301 cafe\u0301', stored)).toBe(true);
    expect(await passwords.matches('cafe cafe cafe', stored)).toBe(false);
  });

  test('never match for an unknown user, not even the placeholder', async () => {
    for (const password of ['', 'x', 'correct horse battery'])
      expect(await passwords.matches(password, null)).toBe(false);
  });

  test('may contain lone surrogates and NUL', async () => {
    const odd = `\ud800 nul \0 ${'x'.repeat(12)}`;
    expect(await passwords.matches(odd, await passwords.hash(odd))).toBe(true);
  });
});

describe('the hashing queue', () => {
  test('runs two hashes at once, and addresses take turns', async () => {
    const order: string[] = [];
    let active = 0;
    let most = 0;
    const work = (network: string) => () => {
      active += 1;
      most = Math.max(most, active);
      order.push(network);
      return new Promise<void>((resolve) => {
        setImmediate(() => {
          active -= 1;
          resolve();
        });
      });
    };
    const greedy = Array.from({ length: 8 }, () => passwords.during(from('greedy'), work('greedy')));
    await Promise.all([...greedy, passwords.during(from('other'), work('other'))]);
    expect(most).toBe(2);
    expect(order.indexOf('other')).toBeLessThan(4);
  });

  test('drops requests whose client leaves while waiting', async () => {
    const gone = new AbortController();
    let release = (): void => undefined;
    const held = [1, 2].map(() =>
      passwords.during(
        from('a'),
        () =>
          new Promise<void>((resolve) => {
            const before = release;
            release = () => {
              before();
              resolve();
            };
          }),
      ),
    );
    const waiting = passwords.during(from('a', { gone: gone.signal }), async () => 'done');
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    release();
    await Promise.all(held);
    expect(await passwords.during(from('a'), async () => 'done')).toBe('done');
  });

  test('serves known networks during a thousand unknown ones, which take turns', async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      await new Promise(setImmediate);
      order.push(name);
    };
    const ask = (network: string, isKnown: boolean) =>
      passwords.during(from(network, { isKnown }), work(network));
    const crowd = Array.from({ length: 1_000 }, (_, at) => ask(`crowd ${at % 125}`, false));
    const stranger = ask('stranger', false);
    await ask('known', true);
    expect(order.indexOf('known')).toBeLessThan(5);
    await stranger;
    expect(order.indexOf('stranger')).toBeLessThan(130);
    const refused = (await Promise.allSettled(crowd)).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(700);
    expect(refused[0]).toMatchObject({
      reason: { code: 'TOO_MANY_AT_ONCE', retryAfterSeconds: 1 },
    });
  });
});
