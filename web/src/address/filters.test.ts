import { expect, test } from '#jest';
import { filtersOf, oneOf, unknownIn } from './filters.ts';

test("reads only the list's filters, and ignores empty ones", () => {
  const search = new URLSearchParams('status=FAILED&model=&riskLevel=HIGH&__proto__=1');
  expect(filtersOf(['status', 'model'], search)).toEqual({ status: 'FAILED' });
  expect(unknownIn(['status', 'model'], search)).toEqual(['riskLevel', '__proto__']);
});

test('the period, the sheet and its part are not filters', () =>
  expect(unknownIn([], new URLSearchParams('range=1h&from=a&to=b&open=1&tab=x'))).toEqual([]));

test('returns an allowed value, or none', () => {
  expect([oneOf('a', ['a', 'b']), oneOf('c', ['a', 'b']), oneOf(null, ['a'])]).toEqual(['a', null, null]);
});
