import { expect, test } from '@jest/globals';
import { filtersOf, namesBeside, oneOf } from './evidence-filters.ts';

test('filters are what the address says of the names there are', () => {
  const search = new URLSearchParams('status=OPEN&severity=&open=1&model=gpt&__proto__=1');
  expect(filtersOf(search, ['status', 'severity'])).toEqual({ status: 'OPEN' });
  expect(namesBeside(search, ['status', 'severity'])).toEqual(['model', '__proto__']);
});

test('a value is one of those there are, or none', () => {
  expect([oneOf('a', ['a', 'b']), oneOf('c', ['a', 'b']), oneOf(null, ['a'])]).toEqual(['a', null, null]);
});
