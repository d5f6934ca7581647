import type { ShownCorrelationRun, ShownPattern } from '#schemas/api/evidence/correlations.ts';
import { type FindingType, RISK_LEVELS, VIOLATION_CODES } from '#schemas/vocabulary.ts';
import { exactNumber, percent } from '../../format/numbers.ts';

/** Patterns whose values are shares of signals. */
const ON_SHARES: readonly FindingType[] = ['MODEL_REGRESSION', 'ESCALATION'];

/** An expected or observed value, in the pattern's own unit. */
export function measureOf(type: FindingType, value: number): string {
  if (ON_SHARES.includes(type)) return percent(value);
  return exactNumber(Math.round(value * 10) / 10);
}

type Order = 'score' | 'new';

/** A row of the list: a finding or a run. */
export interface Row {
  readonly run: ShownCorrelationRun;
  /** Null: a run over history. */
  readonly pattern: ShownPattern | null;
}

const rowOf = (run: ShownCorrelationRun): Row => ({
  run,
  pattern: run.source === 'STREAM' ? (run.patterns?.[0] ?? null) : null,
});

/** By score, the most certain first; runs have none and come last. Otherwise in the service's order: newest first. */
export function rowsOf(runs: readonly ShownCorrelationRun[], order: Order): Row[] {
  const rows = runs.map(rowOf);
  return order === 'new' ? rows : rows.sort((a, b) => (b.pattern?.score ?? -1) - (a.pattern?.score ?? -1));
}

/** Filters for a pattern's signals, from its key: `sandbox:<id>/violation:SSN`. */
export function filtersOfKey(key: string): { readonly violation?: string; readonly riskLevel?: string } {
  const named = (name: string): string | undefined =>
    key
      .split('/')
      .find((part) => part.startsWith(`${name}:`))
      ?.slice(name.length + 1);
  const [violation, level] = [named('violation'), named('risk')];
  if (VIOLATION_CODES.some((code) => code === violation)) return { violation: violation! };
  if (RISK_LEVELS.some((one) => one === level)) return { riskLevel: level! };
  return {};
}

/** Splits timed items into this many parts of equal length, from the earliest to the latest item. */
export function inParts<Timed extends { readonly createdAt: string }>(
  all: readonly Timed[],
  parts: number,
): Timed[][] {
  const sorted = all.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const timeOf = ({ createdAt }: Timed): number => new Date(createdAt).getTime();
  const made: Timed[][] = Array.from({ length: parts }, () => []);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return made;
  const lengthMs = Math.max(timeOf(last) - timeOf(first), 1);
  for (const one of sorted) {
    const part = Math.floor(((timeOf(one) - timeOf(first)) / lengthMs) * parts);
    made[Math.min(part, parts - 1)]!.push(one);
  }
  return made;
}
