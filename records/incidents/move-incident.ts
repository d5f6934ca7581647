import { judgeMove, type Mover, moved } from '#core/evidence/incidents/incident.ts';
import { isEnded, type Transition } from '#core/evidence/incidents/transitions.ts';
import { changeDocument, type Decision, unchanged } from '#platform/state/change-document.ts';
import type { DocumentWrite } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import type { IncidentStatus } from '#schemas/vocabulary.ts';
import { laterOf } from '../changes/ledger-events.ts';
import { chargedWrite, type OverBudget } from '../changes/measure-records.ts';
import { bytesOf } from '../changes/record-usage.ts';
import { incidentEvent } from './incident-event.ts';
import { movedWrites, OPEN_INCIDENT, openIncidentOf } from './incident-index.ts';
import {
  INCIDENT_CHANGES,
  type IncidentChange,
  type IncidentRecord,
  incidentRef,
  incidentVersionId,
} from './incident-record.ts';
import type { IncidentDependencies } from './open-incident.ts';
import { changeMadeBy } from './read-incident.ts';

/** Moves per incident: each is a document from which the incident's history is read. */
export const MAX_TRANSITIONS = 200;

export interface IncidentMove {
  readonly customerId: string;
  readonly incidentId: string;
  readonly to: IncidentStatus;
  readonly mover: Mover;
  readonly assertedByKeyId: string;
  readonly comment: string | null;
  readonly resolution: string | null;
  /** The version seen by the client; null: any. */
  readonly seenVersion: number | null;
  readonly budget: RecordBudget;
  /** ISO 8601. */
  readonly at: string;
  /** Id of the request, by which a repeat finds its result. */
  readonly changeId: string;
  /** Whether an earlier attempt may already have made the move. */
  readonly takenOver: boolean;
}

type Refusal = Exclude<ReturnType<typeof judgeMove>, { readonly ok: true }>;

export type MovedIncident =
  | { readonly ok: true; readonly record: IncidentRecord }
  | {
      readonly ok: false;
      readonly reason: 'NOT_FOUND' | 'VERSION' | 'TRANSITION_LIMIT' | 'OTHER_OPEN';
    }
  | OverBudget
  | (Refusal & { readonly from: IncidentStatus });

/**
 * Moves an incident and adds its entry, in one atomic write. Of two concurrent moves only one is made; the other was
 * based on an outdated status and is refused.
 */
export function moveIncident(dependencies: IncidentDependencies, move: IncidentMove): Promise<MovedIncident> {
  const { documents } = dependencies;
  const { customerId, incidentId, seenVersion } = move;
  let seen: number | null = null;
  const ref = incidentRef(customerId, incidentId);
  return changeDocument<IncidentRecord, MovedIncident>(dependencies, ref, async (stored) => {
    if (stored === null) return unchanged({ ok: false, reason: 'NOT_FOUND' });
    const { value: record } = stored;
    if (move.takenOver && (await changeMadeBy(documents, customerId, record, move)))
      return unchanged({ ok: true, record });
    // Read again because another record of the customer was written first, or this one was.
    if (seen !== null && seen !== record.version) return unchanged({ ok: false, reason: 'VERSION' });
    seen = record.version;
    const judged = judgeMove(record, move.to, move.mover);
    if (!judged.ok) return unchanged({ ...judged, from: record.status });
    if (seenVersion !== null && seenVersion !== record.version)
      return unchanged({ ok: false, reason: 'VERSION' });
    if (record.version > MAX_TRANSITIONS) return unchanged({ ok: false, reason: 'TRANSITION_LIMIT' });
    return changeBy(dependencies, move, record, judged.transition);
  });
}

async function changeBy(
  { documents, makeEntry }: IncidentDependencies,
  move: IncidentMove,
  before: IncidentRecord,
  transition: Transition,
): Promise<Decision<IncidentRecord, MovedIncident>> {
  const { customerId, mover, resolution, comment } = move;
  const { record, change } = after(before, move, moved(before, transition, mover, resolution));
  const reopens = isEnded(before.status) && !isEnded(record.status);
  const other = reopens ? await openIncidentOf(documents, customerId, record.signalId) : null;
  if (other !== null) return unchanged({ ok: false, reason: 'OTHER_OPEN' });
  const charge = { at: move.at, bytes: bytesOf(record) - bytesOf(before) + bytesOf(change) };
  // A move without texts is never refused for lack of budget: it must always be possible to finish an incident.
  const budget = comment === null && resolution === null ? null : move.budget;
  const charged = await chargedWrite(documents, customerId, charge, budget);
  if (!charged.ok) return unchanged(charged);
  const { id, version, status } = record;
  const entries = [await makeEntry(incidentEvent(customerId, record, change))];
  const others: DocumentWrite[] = [
    {
      collection: INCIDENT_CHANGES,
      id: incidentVersionId(id, version),
      expectedVersion: 0,
      value: change,
    },
    ...movedWrites(id, before.status, status),
    ...openWrites(record, before.status),
    charged.write,
  ];
  return { value: record, entries, others, result: { ok: true, record } };
}

function after(
  before: IncidentRecord,
  { at, to, mover, assertedByKeyId, comment, changeId }: IncidentMove,
  state: ReturnType<typeof moved>,
): { readonly record: IncidentRecord; readonly change: IncidentChange } {
  const updatedAt = laterOf(at, before.updatedAt);
  const record = { ...before, ...state, version: before.version + 1, updatedAt };
  const { userId, role: userRole } = mover;
  const from = before.status;
  const change = { at: updatedAt, from, to, userId, userRole, assertedByKeyId, comment, changeId };
  return { record, change };
}

/** Removes the signal's open mark when its incident ends, and restores it when that is reopened. */
function openWrites({ id, signalId, status }: IncidentRecord, from: IncidentStatus): DocumentWrite[] {
  if (isEnded(status)) return [{ collection: OPEN_INCIDENT, id: signalId, value: null }];
  return isEnded(from) ? [{ collection: OPEN_INCIDENT, id: signalId, expectedVersion: 0, value: id }] : [];
}
