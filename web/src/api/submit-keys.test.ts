import { expect, test } from '#jest';
import { createSubmitKeys } from './submit-keys.ts';

test('the key of a submit stays the same for a retry, and changes with the content and after a success', () => {
  let made = 0;
  const keys = createSubmitKeys(() => {
    made += 1;
    return `key-${made}`;
  });
  expect([keys.keyOf({ a: 1 }), keys.keyOf({ a: 1 }), keys.keyOf({ a: 2 })]).toEqual([
    'key-1',
    'key-1',
    'key-2',
  ]);
  keys.accepted();
  expect(keys.keyOf({ a: 2 })).toBe('key-3');
  expect(createSubmitKeys().keyOf({})).toMatch(/^[0-9a-f]{32}$/);
});
