import type { ListedIncident } from '#schemas/api/evidence/incidents.ts';
import { incidentTitle } from '../../labels/incident-title.ts';
import { label } from '../../labels/label.ts';
import { Level } from '../../ui/level.tsx';
import { useRowKeys } from '../../ui/list/use-row-keys.ts';
import { PageLink } from '../../ui/page-link.tsx';
import { Time } from '../../ui/time.tsx';
import { deadlineOf } from './deadline.ts';
import { Due } from './due.tsx';

interface IncidentListProps {
  readonly rows: readonly ListedIncident[];
  readonly open: string | null;
  readonly addressOf: (id: string) => string;
}

export function IncidentList({ rows, open, addressOf }: IncidentListProps) {
  const list = useRowKeys<HTMLUListElement>();
  return (
    <ul className="list-rows" ref={list} aria-label="Incidents, newest first">
      {rows.map((incident) => (
        <li key={incident.id}>
          <IncidentRow incident={incident} isOpen={incident.id === open} to={addressOf(incident.id)} />
        </li>
      ))}
    </ul>
  );
}

interface IncidentRowProps {
  readonly incident: ListedIncident;
  readonly isOpen: boolean;
  readonly to: string;
}

function IncidentRow({ incident, isOpen, to }: IncidentRowProps) {
  const { title, severity, violations, status, createdAt } = incident;
  const deadline = deadlineOf(incident);
  return (
    <PageLink to={to} className="list-row incident-row" isRow isCurrent={isOpen}>
      <Level level={severity} />
      <strong>{incidentTitle(title, severity, violations)}</strong>
      <span>
        <span className="plan">{label('incidentStatus', status)}</span>
      </span>
      <span>
        {deadline === null ? (
          <span className="muted">
            Created <Time at={createdAt} />
          </span>
        ) : (
          <Due {...deadline} />
        )}
      </span>
    </PageLink>
  );
}
