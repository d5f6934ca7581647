import { expect, test } from '#jest';
import { counted, exactNumber, percent, shortNumber } from './numbers.ts';

test.each([
  [0, '0'],
  [9_999, '9,999'],
  [10_000, '10 k'],
  [12_345, '12.3 k'],
  [999_940, '999.9 k'],
  [999_990, '1 M'],
  [1_234_567, '1.2 M'],
  [4_200_000_000, '4.2 B'],
])('%d is shortened to %s', (value, shown) => expect(shortNumber(value)).toBe(shown));

test('the exact number has every digit, and one is singular', () => {
  expect(exactNumber(1_234_567)).toBe('1,234,567');
  expect([counted(1, 'signal'), counted(2, 'signal'), counted(0, 'entry', 'entries')]).toEqual([
    '1 signal',
    '2 signals',
    '0 entries',
  ]);
  expect(percent(0.12345)).toBe('12.3 %');
});
