import { judgeMove, type Mover, moved } from '#core/evidence/incidents/incident.ts';
import { isEnded, type Transition } from '#core/evidence/incidents/transitions.ts';
import type { DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import type { IncidentStatus } from '#schemas/vocabulary.ts';
import { laterOf } from '../ledger-events.ts';
import { usageOf } from '../measure-records.ts';
import { bytesOf, exceeded, type RecordUsage, usageWrite } from '../record-usage.ts';
import { incidentEvent } from './incident-event.ts';
import { movedWrites, OPEN_INCIDENT, openIncidentOf } from './incident-index.ts';
import {
  INCIDENT_CHANGES,
  INCIDENTS,
  type IncidentChange,
  type IncidentRecord,
  incidentRef,
  incidentVersionId,
} from './incident-record.ts';
import { type IncidentDependencies, MAX_ROUNDS } from './open-incident.ts';
import { changeMadeBy } from './read-incident.ts';

/** Moves of one incident: each is a document that the incident's history is read from. */
export const MAX_TRANSITIONS = 200;

export interface IncidentMove {
  readonly customerId: string;
  readonly incidentId: string;
  readonly to: IncidentStatus;
  readonly mover: Mover;
  readonly assertedByKeyId: string;
  readonly comment: string | null;
  readonly resolution: string | null;
  /** The version that the client has seen; null: any. */
  readonly seenVersion: number | null;
  readonly budget: RecordBudget;
  /** ISO 8601. */
  readonly at: string;
  /** Id of the request, so that a repeat finds what it did. */
  readonly changeId: string;
  /** True when an earlier attempt may have made the move already. */
  readonly takenOver: boolean;
}

type Refusal = Exclude<ReturnType<typeof judgeMove>, { readonly ok: true }>;

export type MovedIncident =
  | { readonly ok: true; readonly record: IncidentRecord }
  | {
      readonly ok: false;
      readonly reason: 'NOT_FOUND' | 'VERSION' | 'TRANSITION_LIMIT' | 'OTHER_OPEN' | 'CONTENDED';
    }
  | { readonly ok: false; readonly reason: 'BUDGET'; readonly exceeded: keyof RecordBudget }
  | (Refusal & { readonly from: IncidentStatus });

/**
 * Moves an incident, with its entry, in one atomic write. Of two moves at the same time one is made; the other one was
 * decided on what no longer is, and is refused.
 */
export async function moveIncident(
  dependencies: IncidentDependencies,
  move: IncidentMove,
): Promise<MovedIncident> {
  const { documents } = dependencies;
  const { customerId, incidentId, seenVersion } = move;
  let seen: number | null = null;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const stored = await documents.get<IncidentRecord>(incidentRef(customerId, incidentId));
    if (stored === null) return { ok: false, reason: 'NOT_FOUND' };
    const { value: record } = stored;
    if (move.takenOver && (await changeMadeBy(documents, customerId, record, move)))
      return { ok: true, record };
    // Read again because another record of the customer came first, or because this one did.
    if (seen !== null && seen !== record.version) return { ok: false, reason: 'VERSION' };
    seen = record.version;
    const judged = judgeMove(record, move.to, move.mover);
    if (!judged.ok) return { ...judged, from: record.status };
    if (seenVersion !== null && seenVersion !== record.version) return { ok: false, reason: 'VERSION' };
    if (record.version > MAX_TRANSITIONS) return { ok: false, reason: 'TRANSITION_LIMIT' };
    const made = await write(dependencies, move, stored, judged.transition);
    if (made !== null) return made;
  }
  return { ok: false, reason: 'CONTENDED' };
}

/** null: another write was faster. */
async function write(
  { documents, makeEntry, announce }: IncidentDependencies,
  move: IncidentMove,
  stored: StoredDocument<IncidentRecord>,
  transition: Transition,
): Promise<MovedIncident | null> {
  const { customerId, mover, resolution } = move;
  const { value: before } = stored;
  const { record, change } = after(before, move, moved(before, transition, mover, resolution));
  const reopens = isEnded(before.status) && !isEnded(record.status);
  const other = reopens ? await openIncidentOf(documents, customerId, record.signalId) : null;
  if (other !== null) return { ok: false, reason: 'OTHER_OPEN' };
  const usage = await usageOf(documents, customerId);
  const charge = { at: move.at, bytes: bytesOf(record) - bytesOf(before) + bytesOf(change) };
  const fault = excess(usage.value, charge, move);
  if (fault !== null) return { ok: false, reason: 'BUDGET', exceeded: fault };
  const { id, version, status } = record;
  const entries = [await makeEntry(incidentEvent(customerId, record, change))];
  const outcome = await documents.write(customerId, [
    { collection: INCIDENTS, id, expectedVersion: stored.version, value: record, entries },
    {
      collection: INCIDENT_CHANGES,
      id: incidentVersionId(id, version),
      expectedVersion: 0,
      value: change,
    },
    ...movedWrites(id, before.status, status),
    ...openWrites(record, before.status),
    usageWrite(customerId, usage, charge),
  ]);
  if (!outcome.ok) return null;
  announce(incidentRef(customerId, id));
  return { ok: true, record };
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

/** The mark of the signal goes when its incident ends, and comes back when that is reopened. */
function openWrites({ id, signalId, status }: IncidentRecord, from: IncidentStatus): DocumentWrite[] {
  if (isEnded(status)) return [{ collection: OPEN_INCIDENT, id: signalId, value: null }];
  return isEnded(from) ? [{ collection: OPEN_INCIDENT, id: signalId, expectedVersion: 0, value: id }] : [];
}

/** A move without texts is never refused for lack of room: an incident can always be brought to its end. */
function excess(
  usage: RecordUsage,
  charge: Parameters<typeof exceeded>[1],
  { comment, resolution, budget }: IncidentMove,
): keyof RecordBudget | null {
  return comment === null && resolution === null ? null : exceeded(usage, charge, budget);
}
