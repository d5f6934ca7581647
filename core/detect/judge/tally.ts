import type { Finding } from '../find/finding.ts';

/** Findings that differ only in their place, counted. */
export interface Tallied extends Omit<Finding, 'start' | 'end'> {
  readonly count: number;
}

type Counted = Finding & { count: number };

const isSameKind = (a: Finding, b: Finding): boolean =>
  a.detector === b.detector &&
  a.ruleIndex === b.ruleIndex &&
  a.confidence === b.confidence &&
  a.source === b.source &&
  a.code === b.code &&
  a.entity === b.entity;

/** The kinds of findings, in the order in which they first occur: few, however many findings a text has. */
export function tally(findings: readonly Finding[]): Tallied[] {
  const kinds: Counted[] = [];
  const byDetector = new Map<string | number, Counted[]>();
  let last: Counted | undefined;
  for (const finding of findings) {
    if (last !== undefined && isSameKind(last, finding)) {
      last.count++;
      continue;
    }
    const name = finding.ruleIndex ?? finding.detector;
    let known = byDetector.get(name);
    if (known === undefined) {
      known = [];
      byDetector.set(name, known);
    }
    last = known.find((kind) => isSameKind(kind, finding));
    if (last === undefined) {
      last = { ...finding, count: 1 };
      known.push(last);
      kinds.push(last);
    } else {
      last.count++;
    }
  }
  return kinds;
}
