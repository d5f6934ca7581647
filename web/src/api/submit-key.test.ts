import { expect, test } from '@jest/globals';
import { createSubmitKeys, newSubmitKey } from './submit-key.ts';

test('a repeat has the key of the first try, and everything else one of its own', () => {
  let made = 0;
  const keys = createSubmitKeys(() => `key-${++made}`);
  expect([keys.keyOf({ a: 1 }), keys.keyOf({ a: 1 }), keys.keyOf({ a: 2 }), keys.keyOf({ a: 1 })]).toEqual([
    'key-1',
    'key-1',
    'key-2',
    'key-3',
  ]);
  keys.forget();
  expect(keys.keyOf({ a: 1 })).toBe('key-4');
});

test('keys are of 32 digits, and differ', () => {
  const keys = Array.from({ length: 100 }, newSubmitKey);
  expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
  expect(new Set(keys).size).toBe(100);
});
