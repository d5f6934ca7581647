import { isAsciiAlphanumeric, isAsciiLetter } from '../characters.ts';
import { mod97 } from '../checks/check-digits.ts';
import { type Candidate, collecting, type SearchDetector } from '../detector.ts';
import { patternWalk } from '../pattern-search.ts';

/** Country and length of the whole number (SWIFT, IBAN registry, to ISO 13616). */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** The check digits, from where the letters of the country are found. */
const START = /\d(?<=[A-Za-z]{2}[ -]?\d)(?=[ -]?\d)/g;
const START_REACH = 3;

/** Where the country stands in front of its check digits, alone or with the word run into it; -1 inside of words. */
function countryBefore(text: string, digit: number): number {
  const start = digit - (isAsciiLetter(text.charCodeAt(digit - 1)) ? 2 : 3);
  if (!isAsciiAlphanumeric(text.charCodeAt(start - 1))) return start;
  return /(?<![A-Za-z0-9])iban$/i.test(text.slice(Math.max(0, start - 5), start)) ? start : -1;
}

/**
 * The end of the number of `length` characters that begins at `start`; -1 when something else stands there. One
 * separator may stand between two characters, and all letters have the same case.
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

function ibanAt(text: string, digit: number): Candidate | null {
  const start = countryBefore(text, digit);
  if (start === -1) return null;
  const length = LENGTHS.get(text.slice(start, start + 2).toUpperCase());
  if (length === undefined) return null;
  const end = ibanEnd(text, start, length);
  if (end === -1) return null;
  const value = text.slice(start, end).replaceAll(/[ .-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d\d/.test(value) || mod97(value.slice(4) + value.slice(0, 4)) !== 1) return null;
  return { code: 'FINANCIAL_DATA', entity: 'IBAN', start, end, confidence: 0.98 };
}

/** International bank account numbers: a country's length and the check by 97. */
export const iban: SearchDetector = {
  name: 'iban',
  version: 1,
  mayFind: (traits) => traits.digits >= 8,
  search: (text) =>
    collecting((push) =>
      patternWalk(
        START,
        START_REACH,
        text,
        ([, word], start) => ibanAt(text, start + (word?.length ?? 0)),
        push,
      ),
    ),
};
