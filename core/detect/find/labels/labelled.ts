import type { EntityType, ViolationCode } from '#schemas/vocabulary.ts';
import { isDigit } from '../../read/characters.ts';
import type { Candidate, TermDetector } from '../detector.ts';
import { valueBefore } from './before.ts';
import { type Label, labelEnd, labelStart, spellings, withPlainLetters } from './label.ts';
import type { Shape } from './shape.ts';
import { columnOf, columnValues } from './table.ts';
import { type Valued, valueAfter } from './walk.ts';

/** Labels for one kind of value, with its formats. */
export interface LabelGroup {
  /** Lower-case phrases with single blanks. */
  readonly labels: readonly string[];
  /** The formats, most reliable first; the first match wins. */
  readonly shapes: readonly Shape[];
  /** Must occur near a label that also names other things. */
  readonly near?: RegExp;
  /** Must not occur right before the label or between label and value. */
  readonly unless?: RegExp;
  /** Maximum words between label and value. */
  readonly maxWords?: number;
}

interface LabelledKind {
  readonly name: string;
  readonly version: number;
  readonly code: ViolationCode;
  readonly entity: EntityType;
  readonly groups: readonly LabelGroup[];
}

interface GroupedLabel {
  readonly label: Label;
  readonly group: LabelGroup;
}

/** A kind of value, prepared for the search. */
interface SearchedKind extends Pick<LabelledKind, 'code' | 'entity'> {
  /** The spelled-out labels by term. */
  readonly labelsOfTerm: readonly (readonly GroupedLabel[])[];
  /** All labels: the search for a label's value stops at another label. */
  readonly stops: ReadonlySet<string>;
}

const NEAR = 120;
const RIGHT_BEFORE = 32;
/** Maximum columns of one table that a detector reads. */
const MAX_COLUMNS = 4;

/** Code units before a label that are checked for digits: every value has a digit. */
const BEFORE = 88;
const AFTER = 320;

/** Finds digits in a text; a span known to have none is not read again. */
function digitsOf(text: string) {
  let clearFrom = 0;
  let clearUntil = 0;

  const isIn = (from: number, until: number): boolean => {
    const isKnown = from >= clearFrom && from < clearUntil;
    const end = Math.min(until, text.length);
    for (let i = isKnown ? clearUntil : Math.max(0, from); i < end; i++) {
      if (isDigit(text.charCodeAt(i))) return true;
    }
    if (!isKnown) clearFrom = Math.max(0, from);
    clearUntil = isKnown ? Math.max(clearUntil, until) : until;
    return false;
  };
  return { isIn };
}

function fits(
  text: string,
  start: number,
  end: number,
  { near, unless }: LabelGroup,
  value: Valued,
): boolean {
  if (unless?.test(text.slice(Math.max(0, start - RIGHT_BEFORE), Math.max(end, value.start)))) return false;
  return near === undefined || near.test(text.slice(Math.max(0, start - NEAR), end + NEAR));
}

/** Searches one text for values. */
function labelSearch(kind: SearchedKind, text: string, push: (candidate: Candidate) => void) {
  const digits = digitsOf(text);
  let done = 0;
  let last = { from: 0, end: 0 };
  let table = { rows: 0, end: 0, columns: 0 };

  const visit = (term: number, termStart: number): void => {
    for (const each of kind.labelsOfTerm[term]!) readLabel(each, termStart);
  };

  const pushValue = ({ start, end, confidence }: Valued): void => {
    const { code, entity } = kind;
    push({ code, entity, start, end, confidence });
  };

  const readLabel = ({ label, group }: GroupedLabel, termStart: number): void => {
    const start = labelStart(text, label, termStart);
    if (start === -1) return;
    const end = labelEnd(text, start + label.whole.length);
    if (end === -1 || end <= done || !digits.isIn(start - BEFORE, end + AFTER)) return;
    last = { from: start >= last.end ? last.end : last.from, end: Math.max(end, last.end) };
    if (readColumn(group, start, end)) return;
    const value =
      valueAfter(text, end, group.shapes, { maxWords: group.maxWords, stops: kind.stops }) ??
      valueBefore(text, start, end, group.shapes, {
        loose: group.maxWords === undefined,
        from: last.from,
      });
    if (value === null || !fits(text, start, end, group, value) || value.start < done) return;
    pushValue(value);
    done = value.end;
  };

  /** Pushes the values of the column that the label heads; false if it heads none. */
  const readColumn = (group: LabelGroup, start: number, end: number): boolean => {
    const mayHead = start >= table.end || (start < table.rows && table.columns < MAX_COLUMNS);
    const column = mayHead ? columnOf(text, start, end) : null;
    if (column === null || !fits(text, start, end, group, { start: end, end, confidence: 0 })) return false;
    const { values, end: tableEnd } = columnValues(text, column, group.shapes);
    const columns = column.rows === table.rows ? table.columns + 1 : 1;
    table = { rows: column.rows, end: tableEnd, columns };
    for (const value of values) pushValue(value);
    return values.length > 0;
  };
  return visit;
}

/**
 * A detector of values without a distinctive format, which are known by their label: before them ("MRN: 123"), above
 * them in a form, after them ("123 (MRN)") or at the top of their column.
 */
export function labelledDetector({ name, version, code, entity, groups }: LabelledKind): TermDetector {
  const labels: GroupedLabel[] = groups.flatMap((group) =>
    withPlainLetters(group.labels)
      .flatMap(spellings)
      .map((label) => ({ label, group })),
  );
  const stops = new Set(labels.map(({ label }) => label.whole));
  const byTerm = new Map<string, GroupedLabel[]>();
  for (const each of labels) {
    const sameTerm = byTerm.get(each.label.term);
    if (sameTerm === undefined) byTerm.set(each.label.term, [each]);
    else sameTerm.push(each);
  }
  const kind = { code, entity, stops, labelsOfTerm: [...byTerm.values()] };
  return {
    name,
    version,
    terms: [...byTerm.keys()],
    visitor: (text, push) => {
      return labelSearch(kind, text, push);
    },
  };
}
