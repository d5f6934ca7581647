import { isCardNumber, mayBeCardNumber } from '../checks/card-networks.ts';
import { passesLuhn } from '../checks/check-digits.ts';
import { cueTest, isGlued, isNumberOfAThing, labelTest, textBefore } from '../context.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import labels from '../lists/credit-card.json' with { type: 'json' };
import { matchesOf } from '../pattern-search.ts';

/** Between groups. Separators other than single hyphens and blanks count only if words name the card. */
const GAP = '(?: ?[-._/] ?| {1,2})';
/** Without separators, or in the groups printed on cards. */
const SHAPE = new RegExp(
  `(?<!\\d)(?<!\\d[.\\-/_])(?:\\d{12,19}|\\d{4}(?:${GAP}\\d{4}){3}(?:${GAP}\\d{3})?|\\d{4}${GAP}\\d{6}${GAP}\\d{4,5})(?!\\w|[-./]\\d)`,
  'g',
);

const NAMES = labels.names;
const namesCard = cueTest(NAMES, 28);
const isLabel = labelTest(`(?:credit|debit|payment|bank)cards?|${NAMES.join('|')}`);

/** A card's groups, a blank and three more digits: part of a longer number, or the verification code. */
const LONGER = /^(?:\d{4}\D{1,3}){4}\d{3}$/;

/** Whether all groups have the same separator: a hyphen or blanks. */
function isPlainlyGrouped(value: string): boolean {
  const [first, ...others] = value.match(/\D+/g) ?? [];
  return (first === ' ' || first === '-' || first === '  ') && others.every((gap) => gap === first);
}

/** Two blanks may also separate table columns, in which case another number precedes or follows. */
const isInRow = (text: string, start: number, end: number): boolean =>
  /\d {1,3}$/.test(text.slice(Math.max(0, start - 4), start)) || /^ {1,3}\d/.test(text.slice(end, end + 4));

function isCard(digits: string, named: boolean): boolean {
  if (!passesLuhn(digits) || /^(\d)\1+\d$/.test(digits)) return false;
  return isCardNumber(digits) || (named && mayBeCardNumber(digits));
}

function cardAt(text: string, match: RegExpExecArray, start: number): Candidate | null {
  const [whole] = match;
  const before = textBefore(text, start);
  const named = namesCard(before);
  const values = LONGER.test(whole) ? [whole, whole.replace(/\D{1,3}\d{3}$/, '')] : [whole];
  const value = values.find((one) => isCard(one.replaceAll(/\D/g, ''), named));
  if (value === undefined || (isGlued(text, start) && !isLabel(before))) return null;
  const end = start + value.length;
  const grouped = value.length > value.replaceAll(/\D/g, '').length;
  if (!named && (isNumberOfAThing(before) || (grouped && !isPlainlyGrouped(value)))) return null;
  if (!named && value.includes('  ') && isInRow(text, start, end)) return null;
  const confidence = named ? 0.99 : grouped ? 0.95 : 0.9;
  return { code: 'CREDIT_CARD', entity: 'CREDIT_CARD', start, end, confidence };
}

/** Payment card numbers, by printed grouping, the network's range and length, and the check digit. */
export const creditCard: SearchDetector = {
  name: 'credit-card',
  version: 3,
  mayFind: (traits) => traits.digits >= 12,
  search: (text) => matchesOf(SHAPE, text, (match, start) => cardAt(text, match, start)),
};
