import type { RecordBudget } from '#schemas/record-budget.ts';
import { usageOf } from '../measure-records.ts';
import { exceeded, usageWrite } from '../record-usage.ts';
import { MAX_ROUNDS, type PolicyDependencies } from './policy-dependencies.ts';
import { type PolicyRecord, type PolicySettings, policyRef, policyVersionEvent } from './policy-record.ts';
import { policyCharge, policyWrites } from './policy-writes.ts';

export interface NewPolicy {
  readonly customerId: string;
  readonly id: string;
  readonly settings: PolicySettings;
  readonly budget: RecordBudget;
  /** ISO 8601. */
  readonly createdAt: string;
}

export type CreatedPolicy =
  | { readonly ok: true; readonly record: PolicyRecord }
  | { readonly ok: false; readonly reason: 'CONTENDED' }
  | { readonly ok: false; readonly reason: 'BUDGET'; readonly exceeded: keyof RecordBudget };

/**
 * Makes a policy, with its entry, in one atomic write. A repeat with the same id finds what the earlier attempt made.
 */
export async function createPolicy(
  { documents, makeEntry, announce }: PolicyDependencies,
  { customerId, id, settings, budget, createdAt }: NewPolicy,
): Promise<CreatedPolicy> {
  const ref = policyRef(customerId, id);
  const record: PolicyRecord = {
    ...settings,
    id,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  };
  const mark = { changeId: id, at: createdAt };
  const charge = policyCharge(record, null, mark);
  let entry: Awaited<ReturnType<typeof makeEntry>> | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const own = await documents.get<PolicyRecord>(ref);
    if (own !== null) return { ok: true, record: own.value };
    const usage = await usageOf(documents, customerId);
    const fault = exceeded(usage.value, charge, budget);
    if (fault !== null) return { ok: false, reason: 'BUDGET', exceeded: fault };
    entry ??= await makeEntry(policyVersionEvent(customerId, record));
    const outcome = await documents.write(customerId, [
      ...policyWrites(record, 0, mark, entry),
      usageWrite(customerId, usage, charge),
    ]);
    if (!outcome.ok) continue;
    announce(ref);
    return { ok: true, record };
  }
  return { ok: false, reason: 'CONTENDED' };
}
