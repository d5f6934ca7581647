import { useState } from 'react';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { getIncident } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import { useSession } from '../../api/use-session.ts';
import { incidentTitle } from '../../labels/incident-title.ts';
import { label } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Level } from '../../ui/level.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { Facts } from './facts.tsx';
import { History } from './history.tsx';
import { MoveForm } from './move-form.tsx';
import { NewerVersion } from './newer-version.tsx';

interface IncidentSheetProps {
  readonly id: string;
  readonly onClose: () => void;
}

/**
 * A user decides on the version that they saw: a newer version is shown next to it, and replaces it only when they
 * accept it.
 */
function Parts({ newest }: { readonly newest: Incident }) {
  const [seen, setSeen] = useState(newest);
  const userId = useSession().data?.user.id ?? '';
  const shown = newest.version === seen.version ? newest : seen;
  const isOld = newest.version > seen.version;
  return (
    <>
      <p className="sheet-summary">
        <Level level={shown.severity} />
        <span className="plan">{label('incidentStatus', shown.status)}</span>
        <span className="muted">
          Created <Time at={shown.createdAt} withAge />
        </span>
      </p>
      {isOld && <NewerVersion seen={seen} newest={newest} userId={userId} onTake={() => setSeen(newest)} />}
      <MoveForm incident={shown} userId={userId} isOld={isOld} onMoved={setSeen} />
      <Facts incident={shown} userId={userId} />
      <History incident={shown} userId={userId} />
    </>
  );
}

/** One incident: its facts, the next steps, and its history. */
export function IncidentSheet({ id, onClose }: IncidentSheetProps) {
  const { data, error, isPlaceholderData, refetch } = useGet(getIncident, { params: { id } });
  const incident = isPlaceholderData ? undefined : data?.data;
  const title =
    incident === undefined
      ? 'Incident'
      : incidentTitle(incident.title, incident.severity, incident.violations);
  return (
    <SideSheet title={title} onClose={onClose}>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      {incident === undefined && error === null && (
        <p className="muted" role="status">
          Loading…
        </p>
      )}
      {incident !== undefined && <Parts newest={incident} />}
    </SideSheet>
  );
}
