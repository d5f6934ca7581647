import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { exactNumber } from '../../format/numbers.ts';
import { Time } from '../../ui/time.tsx';
import { SIGNED_IN, Who } from './who.tsx';

interface HistoryProps {
  readonly incident: Pick<Incident, 'history'>;
  readonly userId: string;
}

type Change = Incident['history'][number];

/** On whose word the record says that it was this user. */
function assertedBy({ assertedByKeyId }: Change): string {
  if (assertedByKeyId === null) return 'by the service itself';
  return assertedByKeyId.startsWith(SIGNED_IN) ? 'signed in' : `on the word of key ${assertedByKeyId}`;
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
          <span className="plan">{change.to}</span> {change.from !== null && <>from {change.from} </>}
          {change.userId !== null && (
            <>
              by <Who userId={change.userId} ownId={userId} />
            </>
          )}
          {change.userRole !== null && <> as {change.userRole}</>}
          <p className="muted">
            <Time at={change.at} />, {assertedBy(change)},{' '}
            {change.leafIndex === null
              ? 'on its way to the chain'
              : `entry ${exactNumber(change.leafIndex)} of the chain`}
          </p>
          {change.comment !== null && <p className="prose">{change.comment}</p>}
        </li>
      ))}
    </ol>
  );
}

/** Every move, the newest first. */
export function History({ incident, userId }: HistoryProps) {
  return (
    <section aria-label="History">
      <h3>History</h3>
      <Changes changes={incident.history.toReversed()} userId={userId} />
    </section>
  );
}
