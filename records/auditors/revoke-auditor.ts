import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { Documents, DocumentWrite } from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '../changes/ledger-events.ts';
import {
  type LiftDependencies,
  liftDocument,
  type OlderDocument,
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
 * Takes from an auditor what it may see of this customer: the next call fails, everywhere. Revoking again changes
 * nothing. `at`: ISO 8601. Null: no such auditor.
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
      // The few bytes by which the record grows are not counted: nothing may prevent a revocation.
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
 * Revokes an auditor of whom the ledger knows a newer version: revocation is the only change, so that is what the state
 * has lost. Its version is raised above the ledger's by as many writes, in one step.
 */
export function liftAuditor(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  const ref = auditorRef(customerId, id);
  return liftDocument<AuditorRecord>(
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
