import fc from 'fast-check';
import { expect, test } from '#jest';
import { filtersIn, SIGNAL_FILTERS, signalsAddress, unknownFilters, withFilter } from './signal-filters.ts';

test('filters of any content survive the round trip through the address', () => {
  const filters = fc.record(
    Object.fromEntries(SIGNAL_FILTERS.map((name) => [name, fc.string({ minLength: 1, unit: 'grapheme' })])),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(filters, (given) => {
      const search = new URL(signalsAddress(given), 'http://host').search;
      expect(filtersIn(new URLSearchParams(search))).toEqual(given);
    }),
  );
});

test('names unknown filters once, and no other parts of the address', () => {
  const search = new URLSearchParams('status=OPEN&status=CLOSED&riskLevel=HIGH&open=1&range=1h&tab=proof');
  expect(unknownFilters(search)).toEqual(['status']);
});

test('removing a filter leaves the others', () => {
  const search = new URLSearchParams('riskLevel=HIGH&model=m');
  expect(withFilter(search, 'riskLevel', null).toString()).toBe('model=m');
  expect(withFilter(search, 'riskLevel', 'LOW').toString()).toBe('riskLevel=LOW&model=m');
  expect(search.toString()).toBe('riskLevel=HIGH&model=m');
});
