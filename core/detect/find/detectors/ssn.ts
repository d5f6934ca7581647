import type { Candidate, SearchDetector } from '../../detector.ts';
import { cueTest, isNumberOfAThing, textBefore } from '../context.ts';
import { matchesOf } from '../pattern-search.ts';

const SHAPE = /(?<![\w.\-/#$€£])(\d{3})(?:([- ])(\d{2})\2(\d{4})|(\d{2})(\d{4}))(?!\w|[-./]\d)/g;
const namesSsn = cueTest(
  [
    'ssn',
    'ssns',
    's\\.s\\.n\\.?',
    'social security(?: (?:number|no\\.?|#))?',
    'social(?![ _-](?:insurance|media|welfare|work))',
    'tax ?id',
    'itin',
    'ss#',
  ],
  24,
);

/** Area 000, 666 and 900-999, group 00 and serial 0000 were never issued (SSA, RM 10201.035). */
function couldBeIssued(area: string, group: string, serial: string): boolean {
  return area !== '000' && area !== '666' && area < '900' && group !== '00' && serial !== '0000';
}

function ssnAt(text: string, match: RegExpExecArray, start: number): Candidate | null {
  const [whole, area, separator, group = match[5]!, serial = match[6]!] = match;
  if (!couldBeIssued(area!, group, serial)) return null;
  const before = textBefore(text, start);
  const named = namesSsn(before);
  if (!named && (separator !== '-' || isNumberOfAThing(before))) return null;
  return { code: 'SSN', entity: 'SSN', start, end: start + whole.length, confidence: named ? 0.98 : 0.85 };
}

/** US social security numbers: with hyphens by their shape, with spaces or bare only where words name them. */
export const ssn: SearchDetector = {
  name: 'ssn',
  version: 1,
  mayFind: (traits) => traits.digits >= 9,
  search: (text) => matchesOf(SHAPE, text, (match, start) => ssnAt(text, match, start)),
};
