import { type IncidentIds, incidentIds } from './incident-index.ts';
import type { IncidentRecord } from './incident-record.ts';
import { type IncidentMove, type MovedIncident, moveIncident } from './move-incident.ts';
import {
  type IncidentDependencies,
  type NewIncident,
  type OpenedIncident,
  openIncident,
  unendedIncident,
} from './open-incident.ts';
import { incidentById, incidentHistory, type VersionedChange } from './read-incident.ts';

/** Incidents of all customers. Every method rejects with `StateUnavailable` when the state is down. */
export interface Incidents {
  open(incident: NewIncident): Promise<OpenedIncident>;
  move(move: IncidentMove): Promise<MovedIncident>;
  byId(customerId: string, id: string): Promise<IncidentRecord | null>;
  /** The signal's incident that has not ended. */
  unendedOf(customerId: string, signalId: string): Promise<IncidentRecord | null>;
  history(customerId: string, record: IncidentRecord): Promise<VersionedChange[]>;
  /** For lists, which only read the incidents that they show. */
  readonly ids: IncidentIds;
}

export function openIncidents(dependencies: IncidentDependencies): Incidents {
  const { documents } = dependencies;
  return {
    open: (incident) => openIncident(dependencies, incident),
    move: (move) => moveIncident(dependencies, move),
    byId: (customerId, id) => incidentById(documents, customerId, id),
    unendedOf: (customerId, signalId) => unendedIncident(documents, customerId, signalId),
    history: (customerId, record) => incidentHistory(documents, customerId, record),
    ids: incidentIds(documents),
  };
}
