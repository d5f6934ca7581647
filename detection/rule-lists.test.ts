import { expect, test } from '#jest';
import { sameLists } from './rule-lists.ts';

test('equal lists become the same object, others do not', () => {
  const same = sameLists();
  const first = same(['a', 'b']);
  expect(same(['a', 'b'])).toBe(first);
  expect(same(['a,b'])).not.toBe(first);
  expect(same(['b', 'a'])).toEqual(['b', 'a']);
});

test('the least recently used list is evicted first', () => {
  const same = sameLists(2);
  const [a, b] = [same(['a']), same(['b'])];
  expect(same(['a'])).toBe(a);
  same(['c']);
  expect(same(['a'])).toBe(a);
  expect(same(['b'])).not.toBe(b);
});
