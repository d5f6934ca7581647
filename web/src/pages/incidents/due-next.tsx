import type { UseQueryResult } from '@tanstack/react-query';
import type { Fault } from '../../api/fault.ts';
import { exactNumber } from '../../format/numbers.ts';
import { incidentTitle } from '../../labels/incident-title.ts';
import { label } from '../../labels/label.ts';
import { Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { byDeadline } from './deadline.ts';
import { Due } from './due.tsx';
import type { ByState } from './use-incidents.ts';

const LISTED = 5;

interface DueNextProps {
  readonly query: UseQueryResult<ByState, Fault>;
  readonly addressOf: (id: string) => string;
}

/** Incidents that need action, by deadline. */
export function DueNext({ query, addressOf }: DueNextProps) {
  return (
    <Tile title="Due next" size="full" query={query}>
      {({ unended, isCut }) => {
        const dated = byDeadline(unended);
        return (
          <>
            {dated.length === 0 && <p className="muted">No upcoming deadlines.</p>}
            <ol className="plain rows">
              {dated.slice(0, LISTED).map(({ row, deadline }) => (
                <li key={row.id}>
                  <Level level={row.severity} />{' '}
                  <PageLink to={addressOf(row.id)}>
                    {incidentTitle(row.title, row.severity, row.violations)}
                  </PageLink>{' '}
                  <span className="plan">{label('incidentStatus', row.status)}</span> <Due {...deadline} />
                </li>
              ))}
            </ol>
            {dated.length > LISTED && <p className="muted">{exactNumber(dated.length - LISTED)} more</p>}
            {isCut && <p className="muted">Based on the newest 100 per status.</p>}
          </>
        );
      }}
    </Tile>
  );
}
