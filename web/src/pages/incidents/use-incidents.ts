import { useQuery } from '@tanstack/react-query';
import type { ListedIncident } from '#schemas/api/evidence/incidents.ts';
import { listIncidents } from '#schemas/endpoints.ts';
import { INCIDENT_STATUSES, type IncidentStatus, type RiskLevel } from '#schemas/vocabulary.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { isEnded } from './moves.ts';

/** Rows per status that are searched for deadlines. */
const DATED = 100;

export interface ByState {
  readonly totals: Readonly<Record<IncidentStatus, number>>;
  /** The newest in each status that is not final. */
  readonly unended: readonly ListedIncident[];
  /** There are more than those. */
  readonly isCut: boolean;
}

/** The number of incidents in each status, and those that still need action. */
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
        answers.map(({ pagination }, index) => [INCIDENT_STATUSES[index], pagination.total]),
      ) as Record<IncidentStatus, number>;
      const open = answers.filter((_, index) => !isEnded(INCIDENT_STATUSES[index]!));
      return {
        totals,
        unended: open.flatMap(({ data }) => data),
        isCut: open.some(({ data, pagination }) => pagination.total > data.length),
      };
    },
  });
}
