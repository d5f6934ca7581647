import type { ReactNode } from 'react';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
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
  if (by === null) return <>a policy</>;
  if (by.startsWith(SIGNED_IN)) return <Who userId={by.slice(SIGNED_IN.length)} ownId={userId} />;
  return (
    <>
      key <code>{by}</code>
    </>
  );
}

export function Facts({ incident, userId }: FactsProps) {
  const { signalId, violations, notifyBy, dueAt, description, resolution, createdByKeyId, version } =
    incident;
  const deadline = deadlineOf(incident);
  const people = [
    ['investigates', incident.investigatorId],
    ['resolved by', incident.resolverId],
    ['verified by', incident.verifierId],
    ['closed by', incident.closerId],
  ] as const;
  return (
    <section aria-label="About">
      <h3>About</h3>
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
        <Fact name="signal">
          <PageLink to={signalsAddress({ open: signalId })}>{signalId}</PageLink>
        </Fact>
        <Fact name="violations">{violations.join(', ') || 'none'}</Fact>
        <Fact name="tell others by">{notifyBy === null ? 'no such date' : <Time at={notifyBy} />}</Fact>
        <Fact name="due">{dueAt === null ? 'no date' : <Time at={dueAt} />}</Fact>
        <Fact name="opened by">
          <OpenedBy by={createdByKeyId} userId={userId} />
        </Fact>
        {people.map(([name, id]) => (
          <Fact key={name} name={name}>
            <Who userId={id} ownId={userId} />
          </Fact>
        ))}
        <Fact name="version">{version}</Fact>
      </dl>
    </section>
  );
}
