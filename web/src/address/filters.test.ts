import { expect, test } from '@jest/globals';
import { filtersOf, strangersTo } from './filters.ts';

test('only filters of the list are read, and an empty one is none', () => {
  const search = new URLSearchParams('status=FAILED&model=&riskLevel=HIGH');
  expect(filtersOf(['status', 'model'], search)).toEqual({ status: 'FAILED' });
  expect(strangersTo(['status', 'model'], search)).toEqual(['riskLevel']);
});

test('the period, the sheet and its part are no filters', () =>
  expect(strangersTo([], new URLSearchParams('range=1h&from=a&to=b&open=1&tab=x'))).toEqual([]));
