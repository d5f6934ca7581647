import { laterOf } from '../changes/ledger-events.ts';
import { type LiftDependencies, liftDocument, type OlderDocument } from '../changes/older-document.ts';
import { holdsEvent, holdsRef, type LegalHolds } from './legal-holds.ts';
import { policyVersionEvent, type RetentionPolicy, retentionPolicyRef } from './policy-record.ts';

/** Gives a policy a version above the ledger's, with what the state has. */
export function liftRetentionPolicy(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  return liftDocument<RetentionPolicy>(
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

/** The same with the holds: those that were made meanwhile are given up, and the entry names those that are left. */
export function liftHolds(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, ledgerVersion }: OlderDocument,
): Promise<void> {
  return liftDocument<LegalHolds>(
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
