import { NEW_INCIDENT } from '#core/evidence/incidents/incident.ts';
import { isEnded } from '#core/evidence/incidents/transitions.ts';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { Documents, DocumentWrite } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import type { Announce, EntryMaker } from '../changes/ledger-events.ts';
import { chargedWrite, type OverBudget } from '../changes/measure-records.ts';
import { bytesOf } from '../changes/record-usage.ts';
import { incidentEvent } from './incident-event.ts';
import { idsOfSignal, indexedWrites, OPEN_INCIDENT, openIncidentOf } from './incident-index.ts';
import {
  INCIDENT_CHANGES,
  type IncidentChange,
  type IncidentRecord,
  incidentRef,
  incidentVersionId,
} from './incident-record.ts';

/** Maximum incidents of one signal over time: the index of its incidents is one document. */
export const MAX_INCIDENTS_OF_SIGNAL = 100;

export interface NewIncident
  extends Pick<
    IncidentRecord,
    | 'id'
    | 'signalId'
    | 'auditId'
    | 'severity'
    | 'violations'
    | 'title'
    | 'description'
    | 'createdAt'
    | 'createdByKeyId'
    | 'dueAt'
    | 'notifyBy'
  > {
  readonly customerId: string;
  readonly budget: RecordBudget;
  /** Additional writes with the incident; called again when another write was faster. */
  readonly beside?: () => Promise<readonly DocumentWrite[]>;
}

/** Creator of incidents that no key holder opens. */
const SYSTEM_USER = 'system';

export type OpenedIncident =
  /** `isNew`: false if the signal already had one that has not ended. */
  | { readonly ok: true; readonly isNew: boolean; readonly record: IncidentRecord }
  | { readonly ok: false; readonly reason: 'SIGNAL_LIMIT' }
  | OverBudget;

export interface IncidentDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

/**
 * Opens an incident, or returns the signal's incident that has not ended. One atomic write contains the record, its
 * first change, the index, the signal's open mark, the customer's usage, and the entry. A repeat with the same id
 * returns the earlier attempt's result.
 */
export function openIncident(
  dependencies: IncidentDependencies,
  { customerId, budget, beside = async () => [], ...fields }: NewIncident,
): Promise<OpenedIncident> {
  const { documents, makeEntry } = dependencies;
  const { id, signalId, createdAt: at } = fields;
  const record: IncidentRecord = { ...NEW_INCIDENT, ...fields, version: 1, updatedAt: at };
  const change: IncidentChange = {
    at,
    from: null,
    to: record.status,
    userId: record.createdByKeyId === null ? SYSTEM_USER : null,
    userRole: null,
    assertedByKeyId: record.createdByKeyId,
    comment: null,
    changeId: id,
  };
  const charge = { at, bytes: bytesOf(record) + bytesOf(change), incidents: 1 };
  const ref = incidentRef(customerId, id);
  return changeDocument<IncidentRecord, OpenedIncident>(dependencies, ref, async (own) => {
    if (own !== null) return unchanged({ ok: true, isNew: true, record: own.value });
    const open = await unendedIncident(documents, customerId, signalId);
    if (open !== null) return unchanged({ ok: true, isNew: false, record: open });
    const before = await idsOfSignal(documents, customerId, signalId);
    if (before.length >= MAX_INCIDENTS_OF_SIGNAL) return unchanged({ ok: false, reason: 'SIGNAL_LIMIT' });
    const charged = await chargedWrite(documents, customerId, charge, budget);
    if (!charged.ok) return unchanged(charged);
    return {
      value: record,
      entries: [await makeEntry(incidentEvent(customerId, record, change))],
      others: [
        { collection: INCIDENT_CHANGES, id: incidentVersionId(id, 1), expectedVersion: 0, value: change },
        { collection: OPEN_INCIDENT, id: signalId, expectedVersion: 0, value: id },
        ...indexedWrites(record, before),
        charged.write,
        ...(await beside()),
      ],
      result: { ok: true, isNew: true, record },
    };
  });
}

/** The signal's incident that has not ended. */
export async function unendedIncident(
  documents: Documents,
  customerId: string,
  signalId: string,
): Promise<IncidentRecord | null> {
  const id = await openIncidentOf(documents, customerId, signalId);
  if (id === null) return null;
  const found = await documents.get<IncidentRecord>(incidentRef(customerId, id));
  // It may have ended between the two reads.
  return found === null || isEnded(found.value.status) ? null : found.value;
}
