/** An incident as far as attestations look at it. */
export interface KnownIncident {
  readonly signalId: string;
  /** OPEN, INVESTIGATING, REMEDIATING, RESOLVED, VERIFIED, CLOSED or DISMISSED. */
  readonly status: string;
}

/**
 * The customer's incidents as the first `below` entries of its ledger tell of them: their INCIDENT_EVENTs, the last one
 * of each incident.
 */
export type IncidentsOfSignals = (customerId: string, below: number) => Promise<readonly KnownIncident[]>;

/** The source while the service keeps no incidents. */
export const noIncidents: IncidentsOfSignals = async () => [];
