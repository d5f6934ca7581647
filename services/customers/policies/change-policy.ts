import { isDeepStrictEqual } from 'node:util';
import type { Documents } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import { laterOf } from '../ledger-events.ts';
import { usageOf } from '../measure-records.ts';
import { type Charge, exceeded, type RecordUsage, usageWrite } from '../record-usage.ts';
import { MAX_ROUNDS, type PolicyDependencies } from './policy-dependencies.ts';
import {
  POLICY_CHANGES,
  type PolicyChangeMark,
  type PolicyRecord,
  type PolicySettings,
  policyRef,
  policyVersionEvent,
  policyVersionId,
} from './policy-record.ts';
import { policyCharge, policyWrites } from './policy-writes.ts';

interface Asked {
  readonly customerId: string;
  readonly policyId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Id of the request, so that a repeat finds what it did. */
  readonly changeId: string;
  /** True when an earlier attempt may have made the change already. */
  readonly takenOver: boolean;
}

export interface PolicyChange extends Asked {
  readonly budget: RecordBudget;
  /** The changed settings; called again when another change came first. */
  readonly settings: (record: PolicyRecord) => PolicySettings;
}

export type ChangedPolicy =
  | { readonly ok: true; readonly record: PolicyRecord }
  | { readonly ok: false; readonly reason: 'NOT_FOUND' | 'CONTENDED' }
  | { readonly ok: false; readonly reason: 'BUDGET'; readonly exceeded: keyof RecordBudget };

/**
 * Makes a new version of a policy, with its entry, in one atomic write; a version equal to the one before is not made.
 * Changes at the same time are applied one after the other. Deleted policies are not found.
 */
export const changePolicy = (
  dependencies: PolicyDependencies,
  change: PolicyChange,
): Promise<ChangedPolicy> =>
  nextVersion(
    dependencies,
    change,
    (record) => ({ ...record, ...change.settings(record) }),
    (usage, charge) => exceeded(usage, charge, change.budget),
  );

/** A last version that says so. No budget refuses it: there are no more deletions than policies. */
export const deletePolicy = (dependencies: PolicyDependencies, deletion: Asked): Promise<ChangedPolicy> =>
  nextVersion(
    dependencies,
    deletion,
    (record) => ({ ...record, deletedAt: deletion.at }),
    () => null,
  );

async function nextVersion(
  { documents, makeEntry, announce }: PolicyDependencies,
  { customerId, policyId, at, changeId, takenOver }: Asked,
  changed: (record: PolicyRecord) => PolicyRecord,
  excess: (usage: RecordUsage, charge: Charge) => keyof RecordBudget | null,
): Promise<ChangedPolicy> {
  const ref = policyRef(customerId, policyId);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const stored = await documents.get<PolicyRecord>(ref);
    if (stored === null) return { ok: false, reason: 'NOT_FOUND' };
    const { value: before } = stored;
    if (takenOver && (await wasMade(documents, customerId, before, { changeId, at })))
      return { ok: true, record: before };
    if (before.deletedAt !== null) return { ok: false, reason: 'NOT_FOUND' };
    const next = changed(before);
    if (isDeepStrictEqual(next, before)) return { ok: true, record: before };
    const updatedAt = laterOf(at, before.updatedAt);
    const record: PolicyRecord = { ...next, version: before.version + 1, updatedAt };
    const mark = { changeId, at: updatedAt };
    const usage = await usageOf(documents, customerId);
    const charge = policyCharge(record, before, mark);
    const fault = excess(usage.value, charge);
    if (fault !== null) return { ok: false, reason: 'BUDGET', exceeded: fault };
    const entry = await makeEntry(policyVersionEvent(customerId, record));
    const outcome = await documents.write(customerId, [
      ...policyWrites(record, stored.version, mark, entry),
      usageWrite(customerId, usage, charge),
    ]);
    if (!outcome.ok) continue;
    announce(ref);
    return { ok: true, record };
  }
  return { ok: false, reason: 'CONTENDED' };
}

/** Searched from the newest version back to the time of the request: older ones cannot be its own. */
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
