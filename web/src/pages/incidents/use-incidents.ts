import { useQuery } from '@tanstack/react-query';
import type { ListedIncident } from '#schemas/api/evidence/incidents.ts';
import { listIncidents } from '#schemas/endpoints.ts';
import { INCIDENT_STATUSES, type IncidentStatus, type RiskLevel } from '#schemas/vocabulary.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { isEnded } from './moves.ts';

/** Rows of a state that dates are taken from. */
const DATED = 100;

export interface ByState {
  readonly totals: Readonly<Record<IncidentStatus, number>>;
  /** The newest of each state that has not ended. */
  readonly unended: readonly ListedIncident[];
  /** There are more than those. */
  readonly isCut: boolean;
}

/** How many incidents there are in each state, and those that somebody still has to do something about. */
export function useByState(severity: RiskLevel | null, signalId: string | undefined) {
  const api = useApi();
  return useQuery<ByState, Fault>({
    queryKey: [listIncidents.path, 'by state', severity, signalId],
    queryFn: async ({ signal }) => {
      const answers = await Promise.all(
        INCIDENT_STATUSES.map((status) => {
          const limit = isEnded(status) ? 1 : DATED;
          const query = { status, severity: severity ?? undefined, signalId, limit };
          return api.call(listIncidents, { query, signal });
        }),
      );
      const totals = Object.fromEntries(
        answers.map(({ pagination }, place) => [INCIDENT_STATUSES[place], pagination.total]),
      ) as Record<IncidentStatus, number>;
      const open = answers.filter((_, place) => !isEnded(INCIDENT_STATUSES[place]!));
      return {
        totals,
        unended: open.flatMap(({ data }) => data),
        isCut: open.some(({ data, pagination }) => pagination.total > data.length),
      };
    },
  });
}
