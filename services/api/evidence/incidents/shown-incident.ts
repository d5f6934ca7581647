import { possibleMoves } from '#core/evidence/incidents/incident.ts';
import type { IncidentRecord } from '#records/incidents/incident-record.ts';
import type { VersionedChange } from '#records/incidents/read-incident.ts';
import type { Incident, ListedIncident } from '#schemas/api/evidence/incidents.ts';

/** For lists: without the people of earlier rounds, who are in its history. */
export function listedIncident(customerId: string, record: IncidentRecord): ListedIncident {
  const { people: _people, ...shown } = record;
  const moves = possibleMoves(record).map(({ to, roles, blockedUserIds }) => ({
    to,
    roles: [...roles],
    blockedUserIds: [...blockedUserIds],
  }));
  return { ...shown, customerId, violations: [...record.violations], moves };
}

/** `indexOf`: index of a version's entry in the hash chain, if known. */
export const shownIncident = (
  customerId: string,
  record: IncidentRecord,
  history: readonly VersionedChange[],
  indexOf: (version: number) => number | null = () => null,
): Incident => ({
  ...listedIncident(customerId, record),
  history: history.map(({ changeId: _changeId, version, ...change }) => ({
    ...change,
    leafIndex: indexOf(version),
  })),
});
