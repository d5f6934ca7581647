import { fieldsOf } from '#schemas/ledger/definition.ts';
import { INCIDENT_EVENT_V1 } from '#schemas/ledger/incident-event.v1.ts';
import { type IncidentChange, type IncidentRecord, incidentVersionId } from './incident-record.ts';

const [{ core, detail }] = INCIDENT_EVENT_V1.shapes;

/** The record as it is after the change, and the change. */
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
