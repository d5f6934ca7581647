import { describe, expect, test } from '#jest';

describe('a block', () => {
  test('passes', () => expect(1).toBe(1));
  test('fails', () => expect({ answer: 41 }).toEqual({ answer: 42 }));
  test.each([[1], [2]])('of each fails at 2: %i', (number) => expect(number).toBe(1));
  test.skip('is skipped', () => undefined);
  test('rejects unseen', () => void Promise.reject(new Error('nobody listens')));
});
