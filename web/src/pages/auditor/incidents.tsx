import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { ListedIncident } from '#schemas/api/evidence/incidents.ts';
import { auditIncident, type auditIncidents } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import type { ListQuery } from '../../api/use-list.ts';
import { exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Level } from '../../ui/level.tsx';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';

/** Every status change of an incident. */
function History({ id }: { readonly id: string }) {
  const { data, error, refetch } = useGet(auditIncident, { params: { id } });
  if (error !== null) return <FaultNote fault={error} retry={() => void refetch()} />;
  if (data === undefined)
    return (
      <p className="muted" role="status">
        Loading…
      </p>
    );
  return (
    <ol className="plain rows">
      {data.data.history.map(({ at, from, to, userId, userRole, comment, leafIndex }) => (
        <li key={`${at} ${to}`}>
          <Time at={at} />{' '}
          {from === null ? 'Created' : `${label('incidentStatus', from)} → ${label('incidentStatus', to)}`}{' '}
          {userId === null ? 'via API key' : `by ${userId}`}
          {userRole !== null && ` (${label('role', userRole)})`}
          {comment !== null && <span className="reasoning">: {comment}</span>}
          {leafIndex !== null && <span className="muted"> · ledger entry {exactNumber(leafIndex)}</span>}
        </li>
      ))}
    </ol>
  );
}

function Incident({ incident }: { readonly incident: ListedIncident }) {
  const { id, title, severity, status, createdAt, violations, resolution, notifyBy } = incident;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="record">
      <header>
        <Level level={severity} />
        <h3>{title}</h3>
        <span className="plan">{label('incidentStatus', status)}</span>
      </header>
      <dl className="facts">
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>Violations</dt>
          <dd>{violations.map((code) => label('violation', code)).join(', ') || 'none'}</dd>
        </div>
        {notifyBy !== null && (
          <div>
            <dt>Notify by</dt>
            <dd>
              <Time at={notifyBy} />
            </dd>
          </div>
        )}
      </dl>
      {resolution !== null && <p className="reasoning">{resolution}</p>}
      {isOpen ? (
        <History id={id} />
      ) : (
        <Button className="button" aria-label={`History: ${title}`} onPress={() => setIsOpen(true)}>
          History
        </Button>
      )}
    </li>
  );
}

/** Incidents that the token shows; each history is requested separately. */
export function Incidents({ query }: { readonly query: ListQuery<typeof auditIncidents> }) {
  return (
    <Tile title="Incidents" query={query} size="full">
      {({ rows }) => (
        <>
          <ul className="records">
            {rows.map((incident) => (
              <Incident key={incident.id} incident={incident} />
            ))}
          </ul>
          <MoreRows unit="incident" query={query} />
        </>
      )}
    </Tile>
  );
}
