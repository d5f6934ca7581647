import { restsOnFingerprints } from '#core/correlate/finding.ts';
import { type StoredPattern, withoutErased } from '#core/correlate/fold/stored-pattern.ts';
import type { State } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { erasedAmong } from '#platform/warehouse/queries/evidence/correlations.ts';
import type { CorrelationRun } from './correlation-run.ts';
import { changePatterns, runsAt } from './correlation-runs.ts';

interface Dependencies {
  readonly state: State;
  readonly warehouse: Warehouse;
  /** Unix ms. */
  readonly now: () => number;
}

/**
 * Returns a function that removes signals from these patterns if the tables show them as erased. It returns null if
 * nothing of a pattern is erased. Below `minSignals` the pattern becomes RETRACTED.
 */
async function erasedRemover(
  warehouse: Warehouse,
  customerId: string,
  patterns: readonly StoredPattern[],
): Promise<(pattern: StoredPattern, minSignals: number) => StoredPattern | null> {
  const members = new Map(patterns.flatMap((one) => one.members.map(([index, , at]) => [index, at])));
  // No spread: there may be thousands.
  let [from, to] = [Number.MAX_SAFE_INTEGER, 0];
  for (const at of members.values()) [from, to] = [Math.min(from, at), Math.max(to, at)];
  const erased = await erasedAmong(warehouse, { customerId, from, to, indexes: [...members.keys()] });
  const scopes = new Map(erased.map((one) => [one.index, one.erased]));
  return (pattern, minSignals) => {
    // Without its detail a signal keeps its violations and risk; only its fingerprint is lost.
    const leaves = (index: number): boolean =>
      scopes.get(index) === 'ALL' || (scopes.has(index) && restsOnFingerprints(pattern.finding));
    return withoutErased(pattern, leaves, minSignals);
  };
}

/** These patterns without erased signals; null: nothing is erased. */
export async function withoutErasedPatterns(
  warehouse: Warehouse,
  customerId: string,
  patterns: readonly StoredPattern[],
  minSignals: number,
): Promise<StoredPattern[] | null> {
  const remove = await erasedRemover(warehouse, customerId, patterns);
  const left = patterns.map((pattern) => remove(pattern, minSignals));
  return left.every((one) => one === null) ? null : left.map((one, index) => one ?? patterns[index]!);
}

/** A pattern with its minimum number of signals. */
interface JudgedPattern {
  readonly pattern: StoredPattern;
  readonly minSignals: number;
}

/** These patterns without erased signals, each with its own minimum. */
export async function eachWithoutErased(
  warehouse: Warehouse,
  customerId: string,
  judged: readonly JudgedPattern[],
): Promise<StoredPattern[]> {
  const patterns = judged.map(({ pattern }) => pattern);
  const remove = await erasedRemover(warehouse, customerId, patterns);
  return judged.map(({ pattern, minSignals }) => remove(pattern, minSignals) ?? pattern);
}

/** The patterns of a COMPLETED run without erased signals; also updates the state. */
export async function patternsWithoutErased(
  { state, warehouse }: Dependencies,
  customerId: string,
  { id, parameters }: CorrelationRun,
): Promise<readonly StoredPattern[]> {
  const stored = await changePatterns(state.documents, customerId, id, async ({ patterns }) => {
    const left = await withoutErasedPatterns(warehouse, customerId, patterns, parameters.minSignals);
    return left === null ? null : { patterns: left };
  });
  return stored?.patterns ?? [];
}

/**
 * Called when an erasure of signals has been folded, so that it shows at once. If a call is missed, reading a run does
 * the same.
 */
export async function removeErased(dependencies: Dependencies, customerId: string): Promise<void> {
  const { state, now } = dependencies;
  for (const run of await runsAt(state.documents, customerId, now()))
    if (run.status === 'COMPLETED') await patternsWithoutErased(dependencies, customerId, run);
}
