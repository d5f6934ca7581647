import { laterOf } from '../changes/ledger-events.ts';
import { usageOf } from '../changes/measure-records.ts';
import {
  type OlderDocument,
  type RaiseDependencies,
  raiseDocumentVersion,
} from '../changes/older-document.ts';
import { usageWrite } from '../changes/record-usage.ts';
import { type PolicyRecord, policyRef, policyVersionEvent } from './policy-record.ts';
import { policyCharge, versionWrites } from './policy-writes.ts';

/** Makes a version above the ledger's with the state's settings: changes in between are given up. */
export function raisePolicyVersion(
  { documents, makeEntry, now, newId }: RaiseDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  return raiseDocumentVersion<PolicyRecord>(
    { documents },
    {
      ref: policyRef(customerId, id),
      ledgerVersion,
      versionOf: ({ value }) => value.version,
      raised: async ({ value: before }) => {
        const updatedAt = laterOf(new Date(now()).toISOString(), before.updatedAt);
        const record: PolicyRecord = { ...before, version: ledgerVersion + 1, updatedAt };
        const mark = { changeId: newId(), at: updatedAt };
        const charge = policyCharge(record, before, mark);
        return {
          value: record,
          entries: [await makeEntry(policyVersionEvent(customerId, record))],
          others: [
            ...versionWrites(record, mark),
            usageWrite(customerId, await usageOf(documents, customerId), charge),
          ],
        };
      },
    },
  );
}
