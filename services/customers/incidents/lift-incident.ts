import type { LiftDependencies, OlderDocument } from '../comparison/older-document.ts';
import { laterOf } from '../ledger-events.ts';
import { incidentEvent } from './incident-event.ts';
import { listedWrites } from './incident-index.ts';
import {
  INCIDENT_CHANGES,
  INCIDENTS,
  type IncidentChange,
  type IncidentRecord,
  incidentRef,
  incidentVersionId,
} from './incident-record.ts';

/**
 * Gives an incident a version above the ledger's, with the status that the state has: moves made in between are given
 * up, and the entry says that nobody made this one.
 */
export async function liftIncident(
  { documents, makeEntry, now, newId }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const stored = await documents.get<IncidentRecord>(incidentRef(customerId, id));
    if (stored === null || stored.value.version > ledgerVersion) return;
    const { value: before } = stored;
    const updatedAt = laterOf(new Date(now()).toISOString(), before.updatedAt);
    const version = ledgerVersion + 1;
    const record: IncidentRecord = { ...before, version, updatedAt };
    const change: IncidentChange = {
      at: updatedAt,
      from: before.status,
      to: before.status,
      userId: null,
      userRole: null,
      assertedByKeyId: null,
      comment: null,
      changeId: newId(),
    };
    const entries = [await makeEntry(incidentEvent(customerId, record, change))];
    const outcome = await documents.write(customerId, [
      { collection: INCIDENTS, id, expectedVersion: stored.version, value: record, entries },
      {
        collection: INCIDENT_CHANGES,
        id: incidentVersionId(id, version),
        expectedVersion: 0,
        value: change,
      },
      ...listedWrites(record),
    ]);
    if (outcome.ok) return;
  }
}
