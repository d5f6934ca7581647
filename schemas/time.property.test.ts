import fc from 'fast-check';
import { expect, test } from '#jest';
import { isTime } from './time.ts';

const FIRST = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(2299, 0, 1);

/** Reference definition: the output of `toISOString`, within the range of the tables. */
const isWritten = (text: string): boolean => {
  const at = Date.parse(text);
  return at >= FIRST && at < LAST && new Date(at).toISOString() === text;
};

test('accepts every time in the tables’ range, and none outside it', () => {
  fc.assert(
    fc.property(fc.integer({ min: FIRST - 1e11, max: LAST + 1e11 }), (at) => {
      expect(isTime(new Date(at).toISOString())).toBe(at >= FIRST && at < LAST);
    }),
  );
});

test('digits in a time’s format are accepted only if a clock could write them', () => {
  const digits = (length: number) =>
    fc.nat(10 ** length - 1).map((number) => String(number).padStart(length, '0'));
  const year = fc.oneof(digits(4), fc.constantFrom('1969', '1970', '2024', '2298', '2299'));
  const [two, three] = [digits(2), digits(3)];
  fc.assert(
    fc.property(year, two, two, two, two, two, three, (...[y, month, day, hour, minute, second, ms]) => {
      const text = `${y}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
      expect(isTime(text)).toBe(isWritten(text));
    }),
    { numRuns: 1_000 },
  );
  // Days around the end of every month, in leap years and others.
  for (const y of ['2024', '2025', '2100']) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 27; day <= 32; day += 1) {
        const text = `${y}-${String(month).padStart(2, '0')}-${day}T00:00:00.000Z`;
        expect([text, isTime(text)]).toEqual([text, isWritten(text)]);
      }
    }
  }
});
