import { isDeepStrictEqual } from 'node:util';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { Documents } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import { laterOf } from '../changes/ledger-events.ts';
import { chargedWrite, type OverBudget } from '../changes/measure-records.ts';
import type { PolicyDependencies } from './policy-dependencies.ts';
import {
  POLICY_CHANGES,
  type PolicyChangeMark,
  type PolicyRecord,
  type PolicySettings,
  policyRef,
  policyVersionEvent,
  policyVersionId,
} from './policy-record.ts';
import { policyCharge, versionWrites } from './policy-writes.ts';

interface Asked {
  readonly customerId: string;
  readonly policyId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Id of the request, by which a repeat finds its result. */
  readonly changeId: string;
  /** Whether an earlier attempt may already have made the change. */
  readonly takenOver: boolean;
}

export interface PolicyChange extends Asked {
  readonly budget: RecordBudget;
  /** Returns the changed settings; called again when another change was written first. */
  readonly settings: (record: PolicyRecord) => PolicySettings;
}

export type ChangedPolicy =
  | { readonly ok: true; readonly record: PolicyRecord }
  | { readonly ok: false; readonly reason: 'NOT_FOUND' }
  | OverBudget;

/**
 * Makes a new version of a policy and its entry, in one atomic write, unless it equals the previous version. Concurrent
 * changes are applied one after the other. Does not find deleted policies.
 */
export const changePolicy = (
  dependencies: PolicyDependencies,
  change: PolicyChange,
): Promise<ChangedPolicy> =>
  nextVersion(dependencies, change, (record) => ({ ...record, ...change.settings(record) }), change.budget);

/**
 * Deletes a policy with a last version. Never refused for lack of budget: there are no more deletions than policies.
 */
export const deletePolicy = (dependencies: PolicyDependencies, deletion: Asked): Promise<ChangedPolicy> =>
  nextVersion(dependencies, deletion, (record) => ({ ...record, deletedAt: deletion.at }), null);

function nextVersion(
  dependencies: PolicyDependencies,
  { customerId, policyId, at, changeId, takenOver }: Asked,
  changed: (record: PolicyRecord) => PolicyRecord,
  budget: RecordBudget | null,
): Promise<ChangedPolicy> {
  const { documents, makeEntry } = dependencies;
  const ref = policyRef(customerId, policyId);
  return changeDocument<PolicyRecord, ChangedPolicy>(dependencies, ref, async (stored) => {
    if (stored === null) return unchanged({ ok: false, reason: 'NOT_FOUND' });
    const { value: before } = stored;
    if (takenOver && (await wasMade(documents, customerId, before, { changeId, at })))
      return unchanged({ ok: true, record: before });
    if (before.deletedAt !== null) return unchanged({ ok: false, reason: 'NOT_FOUND' });
    const next = changed(before);
    if (isDeepStrictEqual(next, before)) return unchanged({ ok: true, record: before });
    const updatedAt = laterOf(at, before.updatedAt);
    const record: PolicyRecord = { ...next, version: before.version + 1, updatedAt };
    const mark = { changeId, at: updatedAt };
    const charge = policyCharge(record, before, mark);
    const charged = await chargedWrite(documents, customerId, charge, budget);
    if (!charged.ok) return unchanged(charged);
    return {
      value: record,
      entries: [await makeEntry(policyVersionEvent(customerId, record))],
      others: [...versionWrites(record, mark), charged.write],
      result: { ok: true, record },
    };
  });
}

/** Searches from the latest version back to the time of the request: older ones cannot be the request's. */
async function wasMade(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  { id, version: last }: PolicyRecord,
  { changeId, at }: PolicyChangeMark,
): Promise<boolean> {
  for (let version = last; version >= 1; version -= 1) {
    const ref = { scope: customerId, collection: POLICY_CHANGES, id: policyVersionId(id, version) };
    const mark = (await documents.get<PolicyChangeMark>(ref))?.value;
    if (mark === undefined || mark.at < at) return false;
    if (mark.changeId === changeId) return true;
  }
  return false;
}
