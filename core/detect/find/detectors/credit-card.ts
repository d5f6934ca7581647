import type { Candidate, SearchDetector } from '../../detector.ts';
import { isCardNumber, mayBeCardNumber } from '../checks/card-networks.ts';
import { passesLuhn } from '../checks/check-digits.ts';
import { cueTest, isNumberOfAThing, textBefore } from '../context.ts';
import { matchesOf } from '../pattern-search.ts';

/** Without separators, or in the groups printed on cards, with one kind of separator. */
const SHAPE =
  /(?<![\w.\-/#])(?:\d{12,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5})(?!\w|[-./]\d)/g;

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
    'rupay',
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

function cardAt(text: string, match: RegExpExecArray, start: number): Candidate | null {
  const digits = match[0].replaceAll(/[ -]/g, '');
  if (!passesLuhn(digits) || /^(\d)\1+\d$/.test(digits)) return null;
  const before = textBefore(text, start);
  const named = namesCard(before);
  if (!isCardNumber(digits) && !(named && mayBeCardNumber(digits))) return null;
  if (!named && isNumberOfAThing(before)) return null;
  const end = start + match[0].length;
  const confidence = named ? 0.99 : match[1] !== undefined || match[2] !== undefined ? 0.95 : 0.9;
  return { code: 'CREDIT_CARD', entity: 'CREDIT_CARD', start, end, confidence };
}

/** Payment card numbers: printed grouping, a network's range and length, and the check digit. */
export const creditCard: SearchDetector = {
  name: 'credit-card',
  version: 2,
  mayFind: (traits) => traits.digits >= 12,
  search: (text) => matchesOf(SHAPE, text, (match, start) => cardAt(text, match, start)),
};
