import type { LiftDependencies, OlderDocument } from '../comparison/older-document.ts';
import { laterOf } from '../ledger-events.ts';
import { holdsEvent, LEGAL_HOLDS, storedHolds } from './legal-holds.ts';
import { policyVersionEvent, RETENTION_POLICIES, storedPolicy } from './policy-record.ts';

/** Gives a policy a version above the ledger's, with what the state has. */
export async function liftRetentionPolicy(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const stored = await storedPolicy(documents, customerId, id);
    if (stored === null || stored.value.version > ledgerVersion) return;
    const updatedAt = laterOf(new Date(now()).toISOString(), stored.value.updatedAt);
    const policy = { ...stored.value, version: ledgerVersion + 1, updatedAt };
    const entries = [await makeEntry(policyVersionEvent(customerId, policy))];
    const outcome = await documents.write(customerId, [
      { collection: RETENTION_POLICIES, id, expectedVersion: stored.version, value: policy, entries },
    ]);
    if (outcome.ok) return;
  }
}

/** The same with the holds: those that were made meanwhile are given up, and the entry names those that are left. */
export async function liftHolds(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const stored = await storedHolds(documents, customerId);
    if (stored === null || stored.value.version > ledgerVersion) return;
    const value = { ...stored.value, version: ledgerVersion + 1 };
    const entries = [await makeEntry(holdsEvent(customerId, value, new Date(now()).toISOString(), null))];
    const outcome = await documents.write(customerId, [
      { collection: LEGAL_HOLDS, id: customerId, expectedVersion: stored.version, value, entries },
    ]);
    if (outcome.ok) return;
  }
}
