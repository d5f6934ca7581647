import { expect, test } from '#jest';
import { filtersOf, oneOf, unknownIn } from './filters.ts';

test('only filters of the list are read, and an empty one is none', () => {
  const search = new URLSearchParams('status=FAILED&model=&riskLevel=HIGH&__proto__=1');
  expect(filtersOf(['status', 'model'], search)).toEqual({ status: 'FAILED' });
  expect(unknownIn(['status', 'model'], search)).toEqual(['riskLevel', '__proto__']);
});

test('the period, the sheet and its part are no filters', () =>
  expect(unknownIn([], new URLSearchParams('range=1h&from=a&to=b&open=1&tab=x'))).toEqual([]));

test('a value is one of those there are, or none', () => {
  expect([oneOf('a', ['a', 'b']), oneOf('c', ['a', 'b']), oneOf(null, ['a'])]).toEqual(['a', null, null]);
});
