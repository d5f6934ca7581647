import { describe, expect, test } from '@jest/globals';
import { createPasswordHashing } from './password-hashing.ts';

const passwords = createPasswordHashing();
const { signal } = new AbortController();

describe('passwords', () => {
  test('match their hash alone, however they are composed', async () => {
    const stored = await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9')).not.toBe(stored);
    expect(await passwords.matches('cafe\u0301 cafe\u0301 cafe\u0301', stored)).toBe(true);
    expect(await passwords.matches('cafe cafe cafe', stored)).toBe(false);
  });

  test('of nobody never match, not even the one that is compared with', async () => {
    for (const password of ['', 'x', 'correct horse battery'])
      expect(await passwords.matches(password, null)).toBe(false);
  });

  test('may hold half surrogates and NUL', async () => {
    const odd = `\ud800 nul \0 ${'x'.repeat(12)}`;
    expect(await passwords.matches(odd, await passwords.hash(odd))).toBe(true);
  });
});

describe('places for hashing', () => {
  test('are two, and addresses take turns', async () => {
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
    const greedy = Array.from({ length: 8 }, () => passwords.during('greedy', signal, work('greedy')));
    await Promise.all([...greedy, passwords.during('other', signal, work('other'))]);
    expect(most).toBe(2);
    expect(order.indexOf('other')).toBeLessThan(4);
  });

  test('are left by those whose client has gone while they waited', async () => {
    const gone = new AbortController();
    let release = (): void => undefined;
    const held = [1, 2].map(() =>
      passwords.during(
        'a',
        signal,
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
    const waiting = passwords.during('a', gone.signal, async () => 'done');
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    release();
    await Promise.all(held);
    expect(await passwords.during('a', signal, async () => 'done')).toBe('done');
  });
});
