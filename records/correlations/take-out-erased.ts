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
 * How erased signals leave these patterns, as the tables have it by now: what is left of one of them, null where nothing
 * of it is erased. Below `minSignals` it is RETRACTED.
 */
async function takerOfErased(
  warehouse: Warehouse,
  customerId: string,
  patterns: readonly StoredPattern[],
): Promise<(pattern: StoredPattern, minSignals: number) => StoredPattern | null> {
  const members = new Map(patterns.flatMap((one) => one.members.map(([index, , at]) => [index, at])));
  // No spread: there are thousands.
  let [from, to] = [Number.MAX_SAFE_INTEGER, 0];
  for (const at of members.values()) [from, to] = [Math.min(from, at), Math.max(to, at)];
  const erased = await erasedAmong(warehouse, { customerId, from, to, indexes: [...members.keys()] });
  const scopes = new Map(erased.map((one) => [one.index, one.erased]));
  return (pattern, minSignals) => {
    // Without its detail a signal is as violating and as risky as before; its fingerprint alone is gone.
    const leaves = (index: number): boolean =>
      scopes.get(index) === 'ALL' || (scopes.has(index) && restsOnFingerprints(pattern.finding));
    return withoutErased(pattern, leaves, minSignals);
  };
}

/** These patterns without what is erased; null: nothing of them is. */
export async function erasedTaken(
  warehouse: Warehouse,
  customerId: string,
  patterns: readonly StoredPattern[],
  minSignals: number,
): Promise<StoredPattern[] | null> {
  const taken = await takerOfErased(warehouse, customerId, patterns);
  const left = patterns.map((pattern) => taken(pattern, minSignals));
  return left.every((one) => one === null) ? null : left.map((one, place) => one ?? patterns[place]!);
}

/** A pattern with the fewest signals that it may be left with. */
interface JudgedPattern {
  readonly pattern: StoredPattern;
  readonly minSignals: number;
}

/** These patterns, each by a minimum of its own, without what is erased. */
export async function eachWithoutErased(
  warehouse: Warehouse,
  customerId: string,
  judged: readonly JudgedPattern[],
): Promise<StoredPattern[]> {
  const patterns = judged.map(({ pattern }) => pattern);
  const taken = await takerOfErased(warehouse, customerId, patterns);
  return judged.map(({ pattern, minSignals }) => taken(pattern, minSignals) ?? pattern);
}

/** The patterns of a run that is COMPLETED, without erased signals, in the state too from then on. */
export async function patternsWithoutErased(
  { state, warehouse }: Dependencies,
  customerId: string,
  { id, parameters }: CorrelationRun,
): Promise<readonly StoredPattern[]> {
  const left = await changePatterns(state.documents, customerId, id, async ({ patterns }) => {
    const taken = await erasedTaken(warehouse, customerId, patterns, parameters.minSignals);
    return taken === null ? null : { patterns: taken };
  });
  return left?.patterns ?? [];
}

/** Called where an erasure of signals was seen to be folded, so that it shows at once; whoever reads a run makes up for it. */
export async function takeOutErased(dependencies: Dependencies, customerId: string): Promise<void> {
  const { state, now } = dependencies;
  for (const run of await runsAt(state.documents, customerId, now()))
    if (run.status === 'COMPLETED') await patternsWithoutErased(dependencies, customerId, run);
}
