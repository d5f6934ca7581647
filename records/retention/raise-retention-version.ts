import { laterOf } from '../changes/ledger-events.ts';
import {
  type OlderDocument,
  type RaiseDependencies,
  raiseDocumentVersion,
} from '../changes/older-document.ts';
import { holdsEvent, holdsRef, type LegalHolds } from './legal-holds.ts';
import { policyVersionEvent, type RetentionPolicy, retentionPolicyRef } from './policy-record.ts';

/** Gives a policy a version above the ledger's, with the state's content. */
export function raiseRetentionPolicyVersion(
  { documents, makeEntry, now }: RaiseDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  return raiseDocumentVersion<RetentionPolicy>(
    { documents },
    {
      ref: retentionPolicyRef(customerId, id),
      ledgerVersion,
      versionOf: ({ value }) => value.version,
      raised: async ({ value: before }) => {
        const updatedAt = laterOf(new Date(now()).toISOString(), before.updatedAt);
        const value = { ...before, version: ledgerVersion + 1, updatedAt };
        return { value, entries: [await makeEntry(policyVersionEvent(customerId, value))] };
      },
    },
  );
}

/** The same for the holds: ones made in the meantime are given up, and the entry names the remaining ones. */
export function raiseHoldsVersion(
  { documents, makeEntry, now }: RaiseDependencies,
  { customerId, ledgerVersion }: OlderDocument,
): Promise<void> {
  return raiseDocumentVersion<LegalHolds>(
    { documents },
    {
      ref: holdsRef(customerId),
      ledgerVersion,
      versionOf: ({ value }) => value.version,
      raised: async ({ value: before }) => {
        const value = { ...before, version: ledgerVersion + 1 };
        const at = new Date(now()).toISOString();
        return { value, entries: [await makeEntry(holdsEvent(customerId, value, at, null))] };
      },
    },
  );
}
