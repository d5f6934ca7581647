import { getCountrySpecifications, isValidIBAN } from 'ibantools';
import { isAsciiAlphanumeric, isAsciiLetter } from '../../read/characters.ts';
import { mod97 } from '../checks/check-digits.ts';
import { cueTest, textBefore } from '../context.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { type LibraryCalls, libraryCalls } from '../library-calls.ts';
import { matchesOf } from '../pattern-search.ts';

/** Length of the whole number by country: those of the IBAN registry (ISO 13616), and others that use the format. */
const LENGTHS = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars }]) =>
    chars === null ? [] : [[country, chars] as const],
  ),
);

const namesAccount = cueTest(
  [
    ...['iban', 'accounts?', 'acct', 'bank', 'konto', 'bankverbindung', 'compte', 'cuenta', 'conto', 'conta'],
    ...['rekening', 'rachunek', 'konta', 'hesap', 'számla'],
    ...[
      'pay',
      'paid',
      'payments?',
      'transfers?',
      'wire',
      'überweisung',
      'überweisen',
      'virement',
      'bonifico',
    ],
  ],
  20,
);

/** The check digits; the country letters are before them. */
const START = /\d(?<=[A-Za-z]{2}[ -]?\d)(?=[ -]?\d)/g;

/** Start of the country code before the check digits, even if it is attached to the previous word; -1 inside a word. */
function countryBefore(text: string, digit: number): number {
  const start = digit - (isAsciiLetter(text.charCodeAt(digit - 1)) ? 2 : 3);
  if (!isAsciiAlphanumeric(text.charCodeAt(start - 1))) return start;
  return /(?<![A-Za-z0-9])iban$/i.test(text.slice(Math.max(0, start - 5), start)) ? start : -1;
}

/**
 * End of the number of `length` characters that starts at `start`; -1 if there is none. One separator is allowed
 * between two characters, and all letters must have the same case.
 */
function ibanEnd(text: string, start: number, length: number): number {
  let count = 0;
  let cases = 0;
  let i = start;
  for (; count < length; i++) {
    const unit = text.charCodeAt(i);
    if (isAsciiAlphanumeric(unit)) {
      if (isAsciiLetter(unit)) cases |= unit >= 97 ? 1 : 2;
      count++;
    } else if (!' -.'.includes(text[i] ?? '\n') || !isAsciiAlphanumeric(text.charCodeAt(i + 1))) {
      return -1;
    }
  }
  return cases === 3 || isAsciiAlphanumeric(text.charCodeAt(i)) ? -1 : i;
}

function ibanAt(text: string, digit: number, calls: LibraryCalls): Candidate | null {
  const start = countryBefore(text, digit);
  if (start === -1) return null;
  const length = LENGTHS.get(text.slice(start, start + 2).toUpperCase());
  if (length === undefined) return null;
  const end = ibanEnd(text, start, length);
  if (end === -1) return null;
  const value = text.slice(start, end).replaceAll(/[ .-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d\d/.test(value) || mod97(value.slice(4) + value.slice(0, 4)) !== 1) return null;
  // Checks the country's account format and, if it has some, national check digits. Made-up numbers often fail both,
  // but count as account numbers if the text says so.
  const isRight = !calls.take('ACCOUNT_NUMBERS') || isValidIBAN(value);
  if (!isRight && !namesAccount(textBefore(text, start))) return null;
  return { code: 'FINANCIAL_DATA', entity: 'IBAN', start, end, confidence: isRight ? 0.98 : 0.7 };
}

/** International bank account numbers, by a country's length and format, and the modulo-97 check. */
export const iban: SearchDetector = {
  name: 'iban',
  version: 2,
  mayFind: (traits) => traits.digits >= 8,
  search: (text, calls = libraryCalls()) =>
    matchesOf(START, text, ([, word], start) => ibanAt(text, start + (word?.length ?? 0), calls)),
};
