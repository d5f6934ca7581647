import type { Documents } from '#platform/state/port.ts';
import { OPEN_INCIDENT } from '#records/incidents/incident-index.ts';
import { holdsRef, type LegalHolds } from '#records/retention/legal-holds.ts';

/** The state at the moment it accepted the write of an erasure. */
export interface Decision {
  readonly customerId: string;
  readonly entryId: string;
  readonly holds: LegalHolds['holds'];
  /** Ids of signals with an open incident. */
  readonly openIncidents: ReadonlySet<string>;
}

/**
 * Wraps the documents to read what forbids an erasure in the same instant as each write that decides one: in-memory
 * reads and writes happen when they are called, so nothing can come between.
 */
export function withDecisions<Kind extends Documents>(
  documents: Kind,
  onDecision: (decision: Decision) => void,
): Kind {
  const write: Documents['write'] = async (scope, writes, wanted) => {
    const entryIds = writes
      .flatMap(({ entries = [] }) => entries.map(({ entryId }) => entryId))
      .filter((entryId) => entryId.startsWith('ERASURE:'));
    if (entryIds.length === 0) return documents.write(scope, writes, wanted);
    const before = documents.get<LegalHolds>(holdsRef(scope));
    const open = documents.list(scope, OPEN_INCIDENT);
    const written = documents.write(scope, writes, wanted);
    const [held, incidents, outcome] = await Promise.all([before, open, written]);
    if (!outcome.ok) return outcome;
    for (const entryId of entryIds)
      onDecision({
        customerId: scope,
        entryId,
        holds: held?.value.holds ?? [],
        openIncidents: new Set(incidents.map(({ id }) => id)),
      });
    return outcome;
  };
  return { ...documents, write };
}
