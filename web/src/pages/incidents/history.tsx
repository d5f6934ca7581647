import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { Time } from '../../ui/time.tsx';
import { SIGNED_IN, Who } from './who.tsx';

interface HistoryProps {
  readonly incident: Pick<Incident, 'history'>;
  readonly userId: string;
}

type Change = Incident['history'][number];

/** How the user was identified. */
function assertedBy({ assertedByKeyId }: Change): string {
  if (assertedByKeyId === null) return 'automatic';
  return assertedByKeyId.startsWith(SIGNED_IN) ? 'signed in' : `via API key ${assertedByKeyId}`;
}

export function Changes({
  changes,
  userId,
}: {
  readonly changes: readonly Change[];
  readonly userId: string;
}) {
  return (
    <ol className="plain rows">
      {changes.map((change) => (
        <li key={`${change.at} ${change.to}`}>
          <span className="plan">{label('incidentStatus', change.to)}</span>{' '}
          {change.from !== null && <>from {label('incidentStatus', change.from)} </>}
          {change.userId !== null && (
            <>
              by <Who userId={change.userId} ownId={userId} />
            </>
          )}
          {change.userRole !== null && <> as {label('role', change.userRole)}</>}
          <p className="muted">
            <Time at={change.at} />, {assertedBy(change)},{' '}
            {change.leafIndex === null ? 'being recorded…' : `ledger entry ${exactNumber(change.leafIndex)}`}
          </p>
          {change.comment !== null && <p className="prose">{change.comment}</p>}
        </li>
      ))}
    </ol>
  );
}

/** Every status change, newest first. */
export function History({ incident, userId }: HistoryProps) {
  return (
    <section aria-label="History">
      <h3>History</h3>
      <Changes changes={incident.history.toReversed()} userId={userId} />
    </section>
  );
}
