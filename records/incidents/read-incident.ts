import type { Documents } from '#platform/state/port.ts';
import {
  INCIDENT_CHANGES,
  type IncidentChange,
  type IncidentRecord,
  incidentRef,
  incidentVersionId,
} from './incident-record.ts';

export async function incidentById(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  id: string,
): Promise<IncidentRecord | null> {
  return (await documents.get<IncidentRecord>(incidentRef(customerId, id)))?.value ?? null;
}

/** A change and the version that it made. */
export interface VersionedChange extends IncidentChange {
  readonly version: number;
}

/** All changes of an incident, the oldest first. */
export async function incidentHistory(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  { id, version: last }: Pick<IncidentRecord, 'id' | 'version'>,
): Promise<VersionedChange[]> {
  const versions = Array.from({ length: last }, (_, position) => position + 1);
  const changes = await Promise.all(
    versions.map(async (version) => {
      const change = await changeAt(documents, customerId, id, version);
      return change === null ? null : { ...change, version };
    }),
  );
  // A state that was accepted although older than the ledger lacks some.
  return changes.filter((change) => change !== null);
}

/** Whether the change with this id was made, searching from the latest back to the time of the request. */
export async function changeMadeBy(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  { id, version: last }: Pick<IncidentRecord, 'id' | 'version'>,
  { changeId, at }: Pick<IncidentChange, 'changeId' | 'at'>,
): Promise<boolean> {
  for (let version = last; version >= 1; version -= 1) {
    const change = await changeAt(documents, customerId, id, version);
    if (change === null || change.at < at) return false;
    if (change.changeId === changeId) return true;
  }
  return false;
}

async function changeAt(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  id: string,
  version: number,
): Promise<IncidentChange | null> {
  const ref = { scope: customerId, collection: INCIDENT_CHANGES, id: incidentVersionId(id, version) };
  return (await documents.get<IncidentChange>(ref))?.value ?? null;
}
