import { useQuery } from '@tanstack/react-query';
import type { ListedIncident } from '#schemas/api/evidence/incidents.ts';
import { listIncidents } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { incidentTitle } from '../../labels/incident-title.ts';
import { label } from '../../labels/label.ts';
import { Amount } from '../../ui/amount.tsx';
import { CountLink } from '../../ui/count-link.tsx';
import { Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';

/** Statuses of incidents that still need action; the first are listed. */
const OPEN_STATES = ['OPEN', 'INVESTIGATING', 'REMEDIATING', 'RESOLVED', 'VERIFIED'] as const;
const LISTED = 4;

interface OpenIncidents {
  readonly counts: readonly { readonly status: string; readonly total: number }[];
  readonly newest: readonly ListedIncident[];
}

export function IncidentsTile() {
  const api = useApi();
  const incidents = useQuery<OpenIncidents, Fault>({
    queryKey: [listIncidents.path, 'open'],
    queryFn: async ({ signal }) => {
      const answers = await Promise.all(
        OPEN_STATES.map((status, index) => {
          const query = { status, limit: index === 0 ? LISTED : 1 };
          return api.call(listIncidents, { query, signal });
        }),
      );
      return {
        counts: answers.map(({ pagination }, index) => ({
          status: OPEN_STATES[index]!,
          total: pagination.total,
        })),
        newest: answers[0]!.data,
      };
    },
  });
  return (
    <Tile title={<PageLink to="/incidents">Open incidents</PageLink>} query={incidents}>
      {({ counts, newest }) => {
        const total = counts.reduce((sum, one) => sum + one.total, 0);
        return (
          <>
            <p className="headline">
              <Amount value={total} /> <span className="unit">open</span>
            </p>
            {total > 0 && (
              <ul className="plain inline">
                {counts
                  .filter((one) => one.total > 0)
                  .map(({ status, total: number }) => (
                    <li key={status}>
                      <CountLink counted={{ list: '/incidents', filters: { status } }} count={number}>
                        {label('incidentStatus', status)} <Amount value={number} />
                      </CountLink>
                    </li>
                  ))}
              </ul>
            )}
            <ul className="plain rows">
              {newest.map(({ id, title, severity, violations, notifyBy }) => (
                <li key={id}>
                  <Level level={severity} />{' '}
                  <PageLink to={`/incidents?open=${id}`}>
                    {incidentTitle(title, severity, violations)}
                  </PageLink>
                  {notifyBy !== null && (
                    <span className="muted">
                      {' '}
                      Notify by <Time at={notifyBy} withAge />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Tile>
  );
}
