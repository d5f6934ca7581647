import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { Documents, DocumentWrite } from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '../changes/ledger-events.ts';
import {
  type OlderDocument,
  type RaiseDependencies,
  raiseDocumentVersion,
  repeatedWrites,
} from '../changes/older-document.ts';
import { activeAuditors, activeWrite } from './active-auditors.ts';
import { auditorEvent } from './auditor-event.ts';
import { type AuditorRecord, auditorRef } from './auditor-record.ts';

export interface AuditorDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

/**
 * Revokes an auditor's access to this customer: the next call fails on all nodes. Revoking again changes nothing. `at`:
 * ISO 8601. null: no such auditor.
 */
export function revokeAuditor(
  dependencies: AuditorDependencies,
  customerId: string,
  id: string,
  at: string,
): Promise<AuditorRecord | null> {
  const { documents, makeEntry } = dependencies;
  return changeDocument<AuditorRecord, AuditorRecord | null>(
    dependencies,
    auditorRef(customerId, id),
    async (stored) => {
      if (stored === null || stored.value.status === 'revoked') return unchanged(stored?.value ?? null);
      const record: AuditorRecord = { ...stored.value, status: 'revoked', revokedAt: at };
      // The few bytes by which the record grows are not charged, so that a revocation never fails for lack of budget.
      return {
        value: record,
        entries: [await makeEntry(auditorEvent(customerId, record, stored.version + 1))],
        others: [await inactiveWrite(documents, customerId, id)],
        result: record,
      };
    },
  );
}

async function inactiveWrite(documents: Documents, customerId: string, id: string): Promise<DocumentWrite> {
  const active = await activeAuditors(documents, customerId);
  const others = active.value.filter((one) => one.id !== id);
  return activeWrite(customerId, active, others);
}

/**
 * Revokes an auditor of which the ledger has a newer version: revocation is the only change, so the state must have
 * lost one. As many writes raise its version above the ledger's, in one step.
 */
export function raiseAuditorVersion(
  { documents, makeEntry, now }: RaiseDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  const ref = auditorRef(customerId, id);
  return raiseDocumentVersion<AuditorRecord>(
    { documents },
    {
      ref,
      ledgerVersion,
      versionOf: ({ version }) => version,
      raised: async ({ value, version }) => {
        const record = { ...value, status: 'revoked' as const, revokedAt: new Date(now()).toISOString() };
        return {
          value: record,
          entries: [await makeEntry(auditorEvent(customerId, record, ledgerVersion + 1))],
          others: [
            ...repeatedWrites(ref, version + 1, ledgerVersion + 1, record),
            await inactiveWrite(documents, customerId, id),
          ],
        };
      },
    },
  );
}
