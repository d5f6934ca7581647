import type { EnforcedPolicies } from '#core/evidence/policies/enforced.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { chainHashAt } from '#platform/warehouse/queries/evidence/policies/enforcement.ts';
import { type PolicyProgress, readProgress, writeProgress } from '#records/policies/enforcement-records.ts';
import type { FoldedEntry } from '#schemas/events/events.ts';
import { groupBy } from '#schemas/group-by.ts';
import { byCustomer, headersOf } from '../folded/folded-records.ts';
import { firstBreach } from './breaches.ts';
import { catchUp } from './catch-up.ts';
import type { Counted } from './counted.ts';
import { applyPolicy, isPolicyEntry, signalOf } from './folded-policy.ts';
import { type BreachDependencies, type BreachOutcome, hasOpenIncident, openBreach } from './open-breach.ts';
import { type CachedPolicies, policyCache } from './policy-cache.ts';

export interface CorrelatorDependencies extends BreachDependencies {
  readonly warehouse: Warehouse;
  readonly decodeFoldedEntries: (
    value: Buffer,
  ) => ReturnType<Codec['decodeFoldedEntries']> | Promise<ReturnType<Codec['decodeFoldedEntries']>>;
  /** Yields to other work of the process. */
  readonly yieldTurn: YieldTurn;
  readonly onBreach?: (outcome: BreachOutcome) => void;
}

interface Correlator {
  /** Called with each assignment: another owner may have continued meanwhile. */
  onAssigned(): void;
  /** Resolves when each breach in the batch has its incident: then commit. */
  process(batch: Batch): Promise<undefined>;
}

/** How far a customer's ledger was compared, and the version of the document that says so; 0: no document. */
interface Reached {
  readonly version: number;
  readonly progress: PolicyProgress | null;
}

/**
 * Compares folded entries with the policies in force at their index. Whether a signal breaches a rule follows from the
 * ledger below it alone, and so does the id of its incident: a repeat finds the existing one.
 */
export function createCorrelator(dependencies: CorrelatorDependencies): Correlator {
  const { warehouse, documents } = dependencies;
  const caches = policyCache(warehouse);

  /** The records of one customer, in log order. */
  const processOf = async (customerId: string, records: readonly StoredRecord[]): Promise<void> => {
    let reached: Reached | null = null;
    let last: PolicyProgress | null = null;
    let isEnforced = false;
    for (const record of records) {
      const { first, end, others, epoch } = headersOf(record);
      const cached = await caches.at(customerId, epoch, first);
      if (end < cached.next) continue;
      if (cached.policies.isEmpty && others === 0) {
        cached.next = end + 1;
        continue;
      }
      const { entries } = await dependencies.decodeFoldedEntries(record.value);
      const fresh = entries.filter(({ index }) => index >= cached.next);
      reached ??= await reachedOf(dependencies, customerId, epoch);
      const done = (last ?? reached.progress)?.index ?? null;
      if (!cached.policies.isEmpty)
        await catchUp(warehouse, customerId, cached.policies, { done, below: first }, (found) =>
          settle(dependencies, customerId, found),
        );
      const breaking = await compared(dependencies, cached, fresh, done ?? -1);
      await settle(dependencies, customerId, breaking);
      const { index, hash } = entries.at(-1)!;
      cached.next = end + 1;
      isEnforced = !cached.policies.isEmpty;
      if (index > (done ?? -1)) last = { epoch, index, hash };
    }
    if (reached === null) return;
    const progress = isEnforced ? last : null;
    // Without an enforced policy no progress is noted: at worst, entries are compared again.
    if (progress === null && (isEnforced || reached.version === 0)) return;
    const isWritten = await writeProgress(documents, customerId, reached.version, progress);
    // Another owner has continued: its progress is read again.
    if (!isWritten) caches.forget(customerId);
  };

  return {
    onAssigned: caches.forgetAll,
    process: async ({ records }) => {
      const owned = byCustomer(records);
      await caches.preload(
        [...owned].map(([customerId, own]) => ({ customerId, ...headersOf(own[0] as StoredRecord) })),
      );
      for (const [customerId, own] of owned) {
        try {
          await processOf(customerId, own);
        } catch (error) {
          // The batch is retried, from the stored progress.
          for (const { key } of records) caches.forget(key);
          throw error;
        }
      }
      return undefined;
    },
  };
}

/**
 * How far the comparison is. A log of another epoch may hold another ledger: if the hash at that index differs,
 * everything is compared again, and breaches find their existing incidents.
 */
async function reachedOf(
  { documents, warehouse }: CorrelatorDependencies,
  customerId: string,
  epoch: number,
): Promise<Reached> {
  const stored = await readProgress(documents, customerId);
  if (stored === null) return { version: 0, progress: null };
  const { version, value } = stored;
  if (value.epoch === epoch) return { version, progress: value };
  const isSame = (await chainHashAt(warehouse, customerId, value.index)) === value.hash;
  return { version, progress: isSame ? value : null };
}

/** Which rules count which signals, under the policies in force at each index; entries are applied on the way. */
async function compared(
  { yieldTurn }: Pick<CorrelatorDependencies, 'yieldTurn'>,
  cached: CachedPolicies,
  entries: readonly FoldedEntry[],
  done: number,
): Promise<Counted[]> {
  const found: Counted[] = [];
  for (const entry of entries) {
    if (isPolicyEntry(entry)) applyPolicy(cached.policies, entry);
    else if (entry.index > done) found.push(...countedBy(cached.policies, entry));
    await yieldTurn();
  }
  return found;
}

function countedBy(policies: EnforcedPolicies, entry: FoldedEntry): Counted[] {
  const signal = policies.isEmpty ? null : signalOf(entry);
  return signal === null ? [] : policies.counting(signal).map((rule) => ({ rule, signal }));
}

/** Opens an incident for each breached rule that has none. */
async function settle(
  dependencies: CorrelatorDependencies,
  customerId: string,
  found: readonly Counted[],
): Promise<void> {
  const byRule = groupBy(found, ({ rule }) => `${rule.policyId} ${rule.version} ${rule.digest}`);
  for (const counted of byRule.values()) {
    const { rule } = counted[0]!;
    const signals = counted.map(({ signal }) => signal);
    if (await hasOpenIncident(dependencies.documents, customerId, rule)) continue;
    const breach = await firstBreach(dependencies.warehouse, customerId, rule, signals);
    if (breach === null) continue;
    const outcome = await openBreach(dependencies, customerId, rule, breach);
    dependencies.onBreach?.(outcome);
  }
}
