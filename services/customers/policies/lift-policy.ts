import type { LiftDependencies, OlderDocument } from '../comparison/older-document.ts';
import { laterOf } from '../ledger-events.ts';
import { usageOf } from '../measure-records.ts';
import { usageWrite } from '../record-usage.ts';
import { type PolicyRecord, policyRef, policyVersionEvent } from './policy-record.ts';
import { policyCharge, policyWrites } from './policy-writes.ts';

/** Makes a version above the ledger's with the state's settings: changes made in between are given up. */
export async function liftPolicy(
  { documents, makeEntry, now, newId }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const stored = await documents.get<PolicyRecord>(policyRef(customerId, id));
    if (stored === null || stored.value.version > ledgerVersion) return;
    const { value: before } = stored;
    const updatedAt = laterOf(new Date(now()).toISOString(), before.updatedAt);
    const record: PolicyRecord = { ...before, version: ledgerVersion + 1, updatedAt };
    const mark = { changeId: newId(), at: updatedAt };
    const entry = await makeEntry(policyVersionEvent(customerId, record));
    const usage = await usageOf(documents, customerId);
    const outcome = await documents.write(customerId, [
      ...policyWrites(record, stored.version, mark, entry),
      usageWrite(customerId, usage, policyCharge(record, before, mark)),
    ]);
    if (outcome.ok) return;
  }
}
