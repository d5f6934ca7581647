import type { IncidentState } from '#core/evidence/incidents/incident.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { IncidentStatus, RiskLevel, UserRole } from '#schemas/vocabulary.ts';

/** Document `INCIDENTS`, id = incident id. Times are ISO 8601. */
export interface IncidentRecord extends IncidentState {
  readonly id: string;
  /** Starts at 1; raised by each change, each of which is a document `INCIDENT_CHANGES` and an entry of the ledger. */
  readonly version: number;
  readonly signalId: string;
  readonly auditId: string;
  readonly severity: RiskLevel;
  readonly violations: readonly string[];
  readonly title: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** null: opened by a policy. */
  readonly createdByKeyId: string | null;
  readonly dueAt: string | null;
  readonly notifyBy: string | null;
}

/**
 * Document `INCIDENT_CHANGES`, id = `<incident id>:<version>`, immutable. Separate from the record, so that a list of
 * incidents reads no comments.
 */
export interface IncidentChange {
  readonly at: string;
  /** null: the incident was opened. */
  readonly from: IncidentStatus | null;
  readonly to: IncidentStatus;
  /** null: the holder of the key; `system`: the service itself, on behalf of a policy. */
  readonly userId: string | null;
  readonly userRole: UserRole | null;
  /**
   * The key whose holder asserts that the user made the change, or `user:<id>` of a signed-in user; null: the service
   * itself.
   */
  readonly assertedByKeyId: string | null;
  readonly comment: string | null;
  /** The request that made it, by which a repeat finds it. */
  readonly changeId: string;
}

export const INCIDENTS = 'incidents';
export const INCIDENT_CHANGES = 'incidentChanges';
export const INCIDENT_COLLECTIONS: readonly Collection[] = [
  customerCollection(INCIDENTS, DELETED),
  customerCollection(INCIDENT_CHANGES, DELETED),
];

export const incidentRef = (customerId: string, id: string) => ({
  scope: customerId,
  collection: INCIDENTS,
  id,
});

export const incidentVersionId = (incidentId: string, version: number): string => `${incidentId}:${version}`;

export const incidentChangeRef = (customerId: string, incidentId: string, version: number) => ({
  scope: customerId,
  collection: INCIDENT_CHANGES,
  id: incidentVersionId(incidentId, version),
});
