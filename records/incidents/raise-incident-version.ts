import { laterOf } from '../changes/ledger-events.ts';
import {
  type OlderDocument,
  type RaiseDependencies,
  raiseDocumentVersion,
} from '../changes/older-document.ts';
import { incidentEvent } from './incident-event.ts';
import { listedWrites } from './incident-index.ts';
import {
  INCIDENT_CHANGES,
  type IncidentChange,
  type IncidentRecord,
  incidentRef,
  incidentVersionId,
} from './incident-record.ts';

/**
 * Gives an incident a version above the ledger's, with the status in the state: moves in between are given up, and the
 * entry says that no user made this one.
 */
export function raiseIncidentVersion(
  { documents, makeEntry, now, newId }: RaiseDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  return raiseDocumentVersion<IncidentRecord>(
    { documents },
    {
      ref: incidentRef(customerId, id),
      ledgerVersion,
      versionOf: ({ value }) => value.version,
      raised: async ({ value: before }) => {
        const updatedAt = laterOf(new Date(now()).toISOString(), before.updatedAt);
        const version = ledgerVersion + 1;
        const record: IncidentRecord = { ...before, version, updatedAt };
        const value: IncidentChange = {
          at: updatedAt,
          from: before.status,
          to: before.status,
          userId: null,
          userRole: null,
          assertedByKeyId: null,
          comment: null,
          changeId: newId(),
        };
        const change = { collection: INCIDENT_CHANGES, id: incidentVersionId(id, version), value };
        return {
          value: record,
          entries: [await makeEntry(incidentEvent(customerId, record, value))],
          others: [{ ...change, expectedVersion: 0 }, ...listedWrites(record)],
        };
      },
    },
  );
}
