import type { Documents } from '#platform/state/port.ts';
import { fieldsOf } from '#schemas/ledger/definition.ts';
import { INCIDENT_EVENT_V1 } from '#schemas/ledger/incident-event.v1.ts';
import {
  type IncidentChange,
  type IncidentRecord,
  incidentChangeRef,
  incidentVersionId,
} from './incident-record.ts';

const [{ core, detail }] = INCIDENT_EVENT_V1.shapes;

/** The record after the change, and the change. */
export function incidentEvent(customerId: string, record: IncidentRecord, change: IncidentChange) {
  const { from, to, userRole, assertedByKeyId, userId, comment } = change;
  const transition = { from, to, userRole, assertedByKeyId };
  return {
    kind: 'INCIDENT_EVENT',
    id: incidentVersionId(record.id, record.version),
    customerId,
    at: change.at,
    core: fieldsOf(core, { ...record, incidentId: record.id, transition }),
    detail: fieldsOf(detail, { ...record, userId, comment }),
  } as const;
}

/** The event of a stored incident; null: its last change no longer exists. */
export async function storedIncidentEvent(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  record: IncidentRecord,
) {
  const ref = incidentChangeRef(customerId, record.id, record.version);
  const change = await documents.get<IncidentChange>(ref);
  return change === null ? null : incidentEvent(customerId, record, change.value);
}
