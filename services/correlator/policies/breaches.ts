import type { EnforcedRule, FoldedSignal } from '#core/evidence/policies/enforced.ts';
import { isBreached } from '#core/evidence/policies/report.ts';
import { ANY_CODE, DAY_MS } from '#core/evidence/policies/rules.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { mostInWindow } from '#platform/warehouse/queries/evidence/policies/enforcement.ts';

/**
 * The first of these signals (all counted by the rule, in index order) with which some window holds more signals than
 * the rule allows, whether the signal is its newest or came late; null: none. Only signals up to that one in the ledger
 * count, so that a repeat finds the same.
 */
export async function firstBreach(
  warehouse: Warehouse,
  customerId: string,
  enforced: EnforcedRule,
  signals: readonly FoldedSignal[],
): Promise<FoldedSignal | null> {
  const { rule, slugs } = enforced;
  // Counting is unnecessary: each signal is one too many.
  if (rule.maxCount === 0) return signals[0] ?? null;
  const windowMs = rule.windowDays * DAY_MS;
  const most = (upTo: number, from: number, to: number): Promise<number> =>
    mostInWindow(
      warehouse,
      {
        customerId,
        code: rule.code === ANY_CODE ? null : rule.code,
        minRiskLevel: rule.minRiskLevel,
        slugs: slugs === null ? null : [...slugs],
        upTo,
        windowMs,
      },
      // A window that ends here, or at a later signal and still includes this one.
      { from, to: to + windowMs - 1 },
    );
  const times = signals.map(({ at }) => at);
  const last = signals.at(-1);
  if (last === undefined) return null;
  // One query for all of them, which nearly always rules out a breach.
  if (!isBreached(rule, await most(last.index, Math.min(...times), Math.max(...times)))) return null;
  for (const signal of signals) {
    if (isBreached(rule, await most(signal.index, signal.at, signal.at))) return signal;
  }
  return null;
}
