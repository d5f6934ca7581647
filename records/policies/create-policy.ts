import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import { chargedWrite, type OverBudget } from '../changes/measure-records.ts';
import type { PolicyDependencies } from './policy-dependencies.ts';
import { type PolicyRecord, type PolicySettings, policyRef, policyVersionEvent } from './policy-record.ts';
import { policyCharge, versionWrites } from './policy-writes.ts';

export interface NewPolicy {
  readonly customerId: string;
  readonly id: string;
  readonly settings: PolicySettings;
  readonly budget: RecordBudget;
  /** ISO 8601. */
  readonly createdAt: string;
}

export type CreatedPolicy = { readonly ok: true; readonly record: PolicyRecord } | OverBudget;

/**
 * Creates a policy and its entry, in one atomic write. A repeat with the same id returns the earlier attempt's result.
 */
export function createPolicy(
  dependencies: PolicyDependencies,
  { customerId, id, settings, budget, createdAt }: NewPolicy,
): Promise<CreatedPolicy> {
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
  const ref = policyRef(customerId, id);
  return changeDocument<PolicyRecord, CreatedPolicy>(dependencies, ref, async (own) => {
    if (own !== null) return unchanged({ ok: true, record: own.value });
    const charged = await chargedWrite(dependencies.documents, customerId, charge, budget);
    if (!charged.ok) return unchanged(charged);
    return {
      value: record,
      entries: [await dependencies.makeEntry(policyVersionEvent(customerId, record))],
      others: [...versionWrites(record, mark), charged.write],
      result: { ok: true, record },
    };
  });
}
