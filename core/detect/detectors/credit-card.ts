import { passesLuhn } from '../checks/check-digits.ts';
import { cueTest, isNumberOfAThing, textBefore } from '../context.ts';
import { type Candidate, collecting, type SearchDetector } from '../detector.ts';
import { patternWalk } from '../pattern-search.ts';

/** Bare, or in the groups that are printed on cards, with one kind of separator. */
const SHAPE =
  /(?<![\w.\-/#])(?:\d{12,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5})(?!\w|[-./]\d)/g;

const REACH = 32;

const namesCard = cueTest(
  [
    'card',
    'cards',
    'card ?(?:number|no\\.?|#)',
    'visa',
    'mastercard',
    'amex',
    'american express',
    'discover',
    'diners',
    'jcb',
    'maestro',
    'unionpay',
    'pan',
    'cc',
    'credit',
    'debit',
    'kreditkarte',
    'carte',
    'tarjeta',
  ],
  28,
);

/** First digits (as a number of that many digits, inclusive) and lengths per network. */
const RANGES: readonly { readonly from: number; readonly to: number; readonly lengths: readonly number[] }[] =
  [
    { from: 4, to: 4, lengths: [16, 19] },
    { from: 51, to: 55, lengths: [16] },
    { from: 2221, to: 2720, lengths: [16] },
    { from: 34, to: 34, lengths: [15] },
    { from: 37, to: 37, lengths: [15] },
    { from: 6011, to: 6011, lengths: [16, 19] },
    { from: 644, to: 649, lengths: [16, 19] },
    { from: 65, to: 65, lengths: [16, 19] },
    { from: 300, to: 305, lengths: [14, 16, 19] },
    { from: 3095, to: 3095, lengths: [14, 16, 19] },
    { from: 36, to: 36, lengths: [14, 16, 19] },
    { from: 38, to: 39, lengths: [14, 16, 19] },
    { from: 3528, to: 3589, lengths: [16, 19] },
    { from: 62, to: 62, lengths: [16, 17, 18, 19] },
  ];
/** Ranges whose numbers also name many other things: taken only where words name a card. */
const RANGES_WITH_CUE: typeof RANGES = [
  { from: 4, to: 4, lengths: [13] },
  { from: 50, to: 50, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { from: 56, to: 69, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { from: 35, to: 35, lengths: [16] },
  // JCB's numbers of fifteen digits.
  { from: 1800, to: 1800, lengths: [15] },
  { from: 2131, to: 2131, lengths: [15] },
];

function inRanges(ranges: typeof RANGES, digits: string): boolean {
  return ranges.some(({ from, to, lengths }) => {
    const prefix = Number(digits.slice(0, String(from).length));
    return prefix >= from && prefix <= to && lengths.includes(digits.length);
  });
}

function cardAt(text: string, match: RegExpExecArray, start: number): Candidate | null {
  const digits = match[0].replaceAll(/[ -]/g, '');
  if (!passesLuhn(digits) || /^(\d)\1+\d$/.test(digits)) return null;
  const before = textBefore(text, start);
  const named = namesCard(before);
  if (!inRanges(RANGES, digits) && !(named && inRanges(RANGES_WITH_CUE, digits))) return null;
  if (!named && isNumberOfAThing(before)) return null;
  const end = start + match[0].length;
  const confidence = named ? 0.99 : match[1] !== undefined || match[2] !== undefined ? 0.95 : 0.9;
  return { code: 'CREDIT_CARD', entity: 'CREDIT_CARD', start, end, confidence };
}

/** Numbers of payment cards: printed grouping, a network's range and length, and the check digit. */
export const creditCard: SearchDetector = {
  name: 'credit-card',
  version: 1,
  mayFind: (traits) => traits.digits >= 12,
  search: (text) =>
    collecting((push) => patternWalk(SHAPE, REACH, text, (match, start) => cardAt(text, match, start), push)),
};
