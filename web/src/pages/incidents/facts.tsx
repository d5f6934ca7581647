import type { ReactNode } from 'react';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
import { violationsText } from '../../labels/label.ts';
import { PageLink } from '../../ui/page-link.tsx';
import { Time } from '../../ui/time.tsx';
import { deadlineOf } from './deadline.ts';
import { Due } from './due.tsx';
import { SIGNED_IN, Who } from './who.tsx';

interface FactsProps {
  readonly incident: Incident;
  readonly userId: string;
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function OpenedBy({ by, userId }: { readonly by: string | null; readonly userId: string }) {
  if (by === null) return <>Policy</>;
  if (by.startsWith(SIGNED_IN)) return <Who userId={by.slice(SIGNED_IN.length)} ownId={userId} />;
  return (
    <>
      API key <code>{by}</code>
    </>
  );
}

export function Facts({ incident, userId }: FactsProps) {
  const { signalId, violations, notifyBy, dueAt, description, resolution, createdByKeyId, version } =
    incident;
  const deadline = deadlineOf(incident);
  const people = [
    ['Investigator', incident.investigatorId],
    ['Resolved by', incident.resolverId],
    ['Verified by', incident.verifierId],
    ['Closed by', incident.closerId],
  ] as const;
  return (
    <section aria-label="Details">
      <h3>Details</h3>
      {deadline !== null && (
        <p>
          <Due {...deadline} />
        </p>
      )}
      {description !== null && <p className="prose">{description}</p>}
      {resolution !== null && (
        <p className="prose">
          <strong>Resolution:</strong> {resolution}
        </p>
      )}
      <dl className="facts">
        <Fact name="Signal">
          <PageLink to={signalsAddress({ open: signalId })}>{signalId}</PageLink>
        </Fact>
        <Fact name="Violations">{violationsText(violations)}</Fact>
        <Fact name="Notify by">{notifyBy === null ? '–' : <Time at={notifyBy} />}</Fact>
        <Fact name="Due">{dueAt === null ? '–' : <Time at={dueAt} />}</Fact>
        <Fact name="Created by">
          <OpenedBy by={createdByKeyId} userId={userId} />
        </Fact>
        {people.map(([name, id]) => (
          <Fact key={name} name={name}>
            <Who userId={id} ownId={userId} />
          </Fact>
        ))}
        <Fact name="Version">{version}</Fact>
      </dl>
    </section>
  );
}
