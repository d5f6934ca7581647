import { describe, expect, test } from '#jest';
import { iban } from './detectors/iban.ts';
import { phone } from './detectors/phone.ts';
import { type Library, type LibraryCalls, libraryCalls, MAX_CALLS } from './library-calls.ts';
import { addReadings, type Reading } from './search/reading.ts';
import { searchReadings } from './search/search.ts';

/**
 * An assigned number, an unassigned one, and an account number whose national check digits (France's key) are wrong.
 */
const PHONE = '+442079460958';
const NO_PHONE = '+447700900123';
const IBAN = 'DE89370400440532013000';
const NO_IBAN = 'FR0630006000011234567890188';

/** The default allowance, and a count of the actual calls to each library. */
function counted(): { readonly calls: LibraryCalls; readonly callCounts: Record<Library, number> } {
  const callCounts = { PHONE_NUMBERS: 0, ACCOUNT_NUMBERS: 0 };
  const inner = libraryCalls();
  const take = (library: Library): boolean => {
    const granted = inner.take(library);
    if (granted) callCounts[library]++;
    return granted;
  };
  return { calls: { take }, callCounts };
}

function searchIn(text: string, calls: LibraryCalls): void {
  const readings: Reading[] = [];
  addReadings(readings, { source: 'prompt', text }, calls);
  searchReadings(readings);
}

const times = (piece: string, count: number): string => `${piece} `.repeat(count);

describe('library calls are limited', () => {
  test.each([
    ['phone numbers', 'PHONE_NUMBERS', `${PHONE} ${NO_PHONE}`],
    ['account numbers', 'ACCOUNT_NUMBERS', IBAN],
  ] as const)('for %s in a long text', (_what, library, piece) => {
    const { calls, callCounts } = counted();
    const text = times(piece, 5_000);
    searchIn(text, calls);
    expect(callCounts[library]).toBe(MAX_CALLS);
  });

  test('for all hidden texts of a text together', () => {
    const { calls, callCounts } = counted();
    const hidden = Buffer.from(`call ${PHONE} or pay ${IBAN} now`).toString('base64');
    searchIn(times(hidden, 1_000), calls);
    expect(callCounts).toEqual({ PHONE_NUMBERS: MAX_CALLS, ACCOUNT_NUMBERS: MAX_CALLS });
  });

  test('candidates beyond the limit are accepted, so that thousands of others cannot hide a value', () => {
    const found = (detector: typeof phone, text: string): number => {
      const calls = libraryCalls(3);
      return detector.search(text, calls).length;
    };
    expect(found(phone, times(NO_PHONE, 3))).toBe(0);
    expect(found(phone, times(NO_PHONE, 5))).toBe(2);
    expect(found(phone, times(PHONE, 500))).toBe(500);
    expect(found(iban, times(NO_IBAN, 5))).toBe(2);
    expect(found(iban, times(IBAN, 500))).toBe(500);
  });

  test('a text without candidates calls no library', () => {
    const { calls, callCounts } = counted();
    const text = times(
      'call 415-555-0123, room 12, order 4711, DE12 is a road, 1+1=2, DE8937040044053201300X',
      50,
    );
    searchIn(text, calls);
    expect(callCounts).toEqual({ PHONE_NUMBERS: 0, ACCOUNT_NUMBERS: 0 });
  });
});
