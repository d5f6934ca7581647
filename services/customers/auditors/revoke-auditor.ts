import type { Documents } from '#platform/state/port.ts';
import type { LiftDependencies, OlderDocument } from '../comparison/older-document.ts';
import type { Announce, EntryMaker } from '../ledger-events.ts';
import { activeAuditors, activeWrite } from './active-auditors.ts';
import { auditorEvent } from './auditor-event.ts';
import { AUDITORS, type AuditorRecord, auditorRef } from './auditor-record.ts';

export interface AuditorDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

/**
 * Takes from an auditor what it may see of this customer: the next call fails, everywhere. Revoking again changes
 * nothing. `at`: ISO 8601. Null: no such auditor.
 */
export async function revokeAuditor(
  { documents, makeEntry, announce }: AuditorDependencies,
  customerId: string,
  id: string,
  at: string,
): Promise<AuditorRecord | null> {
  const ref = auditorRef(customerId, id);
  for (;;) {
    const stored = await documents.get<AuditorRecord>(ref);
    if (stored === null || stored.value.status === 'revoked') return stored?.value ?? null;
    const record: AuditorRecord = { ...stored.value, status: 'revoked', revokedAt: at };
    const entry = await makeEntry(auditorEvent(customerId, record, stored.version + 1));
    const active = await activeAuditors(documents, customerId);
    // The few bytes by which the record grows are not counted: nothing may prevent a revocation.
    const outcome = await documents.write(customerId, [
      { collection: AUDITORS, id, expectedVersion: stored.version, value: record, entries: [entry] },
      activeWrite(
        customerId,
        active,
        active.value.filter((one) => one.id !== id),
      ),
    ]);
    if (!outcome.ok) continue;
    announce(ref);
    return record;
  }
}

/**
 * Revokes an auditor of whom the ledger knows a newer version: revocation is the only change, so that is what the state
 * has lost. Its version is raised above the ledger's by as many writes, in one step.
 */
export async function liftAuditor(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const stored = await documents.get<AuditorRecord>(auditorRef(customerId, id));
    if (stored === null || stored.version > ledgerVersion) return;
    const at = new Date(now()).toISOString();
    const record: AuditorRecord = { ...stored.value, status: 'revoked', revokedAt: at };
    const entry = await makeEntry(auditorEvent(customerId, record, ledgerVersion + 1));
    const active = await activeAuditors(documents, customerId);
    const writes = Array.from({ length: ledgerVersion + 1 - stored.version }, (_, n) => ({
      collection: AUDITORS,
      id,
      expectedVersion: stored.version + n,
      value: record,
      entries: n === 0 ? [entry] : [],
    }));
    const others = active.value.filter((one) => one.id !== id);
    if ((await documents.write(customerId, [...writes, activeWrite(customerId, active, others)])).ok) return;
  }
}
