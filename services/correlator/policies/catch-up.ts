import type { EnforcedPolicies } from '#core/evidence/policies/enforced.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  policiesBetween,
  signalsBetween,
} from '#platform/warehouse/queries/evidence/policies/enforcement.ts';
import type { Counted } from './counted.ts';
import { applyPolicy } from './folded-policy.ts';
import { policiesAt } from './policy-cache.ts';

/** Signals read at a time. */
const PAGE = 2_000;

interface Missing {
  /** The last compared entry; null: none, as at the first contact with a customer. */
  readonly done: number | null;
  /** The first entry that the log still holds. */
  readonly below: number;
}

/**
 * Compares, from the warehouse, the entries that the log no longer holds or that were folded before any comparison:
 * from where the comparison stopped, or else from the first policy that is enforced now. `settle` gets them page by
 * page, in ledger order.
 */
export async function catchUp(
  warehouse: Warehouse,
  customerId: string,
  present: EnforcedPolicies,
  { done, below }: Missing,
  settle: (found: readonly Counted[]) => Promise<void>,
): Promise<void> {
  let from = done === null ? (present.since ?? below) : done + 1;
  if (from >= below) return;
  const policies = await policiesAt(warehouse, customerId, from);
  const versions = await policiesBetween(warehouse, customerId, { from, below });
  for (;;) {
    const signals = await signalsBetween(warehouse, customerId, { from, below, limit: PAGE });
    const found: Counted[] = [];
    for (const signal of signals) {
      while (versions.length > 0 && versions[0]!.index < signal.index)
        applyPolicy(policies, versions.shift()!);
      found.push(...policies.counting(signal).map((rule) => ({ rule, signal })));
    }
    await settle(found);
    if (signals.length < PAGE) return;
    from = signals.at(-1)!.index + 1;
  }
}
