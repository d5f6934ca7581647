import type { Match } from '../find/match.ts';

/** A count of matches that differ only in their span. */
export interface Tallied extends Omit<Match, 'start' | 'end'> {
  readonly count: number;
}

type Counted = Match & { count: number };

const isSameKind = (a: Match, b: Match): boolean =>
  a.detector === b.detector &&
  a.ruleIndex === b.ruleIndex &&
  a.confidence === b.confidence &&
  a.source === b.source &&
  a.code === b.code &&
  a.entity === b.entity;

/** The kinds of matches in order of first occurrence. There are few kinds, however many matches. */
export function tally(matches: readonly Match[]): Tallied[] {
  const kinds: Counted[] = [];
  const byDetector = new Map<string | number, Counted[]>();
  let last: Counted | undefined;
  for (const match of matches) {
    if (last !== undefined && isSameKind(last, match)) {
      last.count++;
      continue;
    }
    const name = match.ruleIndex ?? match.detector;
    let known = byDetector.get(name);
    if (known === undefined) {
      known = [];
      byDetector.set(name, known);
    }
    last = known.find((kind) => isSameKind(kind, match));
    if (last === undefined) {
      last = { ...match, count: 1 };
      known.push(last);
      kinds.push(last);
    } else {
      last.count++;
    }
  }
  return kinds;
}
