import { isSsn } from '../checks/national-ids.ts';
import { cueTest, isGlued, isNumberOfAThing, labelTest, textBefore } from '../context.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { matchesOf } from '../pattern-search.ts';

/** Between groups. Separators other than single hyphens and blanks count only if words name the number. */
const GAP = '( ?[-._/] ?| {1,2})';
const SHAPE = new RegExp(
  `(?<![\\d$€£])(?<!\\d[.\\-/_])(\\d{3})(?:${GAP}(\\d{2})${GAP}(\\d{4})|(\\d{2})(\\d{4}))(?!\\w|[-./]\\d)`,
  'g',
);
const NAMES = [
  '[a-z]{0,16}ssns?',
  's\\.s\\.n\\.?',
  'social security(?: (?:number|no\\.?|#))?',
  'social[_-]?security(?:[_-]?(?:number|no|num|nr))?',
  'social(?![ _-](?:insurance|media|welfare|work))',
  'tax ?id',
  'itin',
  'ss#',
];
const namesSsn = cueTest(NAMES, 24);
const isLabel = labelTest(NAMES.join('|'));

function ssnAt(text: string, match: RegExpExecArray, start: number): Candidate | null {
  const [whole, area, first, group = match[6]!, second, serial = match[7]!] = match;
  if (!isSsn(`${area}${group}${serial}`)) return null;
  const before = textBefore(text, start);
  if (isGlued(text, start) && !isLabel(before)) return null;
  const named = namesSsn(before);
  const hyphens = first === '-' && second === '-';
  if (!named && (!hyphens || isNumberOfAThing(before))) return null;
  return { code: 'SSN', entity: 'SSN', start, end: start + whole.length, confidence: named ? 0.98 : 0.85 };
}

/** US social security numbers: with hyphens by their format, with other separators or none only if words name them. */
export const ssn: SearchDetector = {
  name: 'ssn',
  version: 2,
  mayFind: (traits) => traits.digits >= 9,
  search: (text) => matchesOf(SHAPE, text, (match, start) => ssnAt(text, match, start)),
};
