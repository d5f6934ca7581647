import { Button } from 'react-aria-components';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { Changes } from './history.tsx';
import { Who } from './who.tsx';

interface NewerVersionProps {
  readonly seen: Incident;
  readonly newest: Incident;
  readonly userId: string;
  readonly onTake: () => void;
}

const PEOPLE = [
  ['investigates', 'investigatorId'],
  ['resolved by', 'resolverId'],
  ['verified by', 'verifierId'],
  ['closed by', 'closerId'],
] as const;

/** What somebody else made of the incident meanwhile, beside what is looked at. */
export function NewerVersion({ seen, newest, userId, onTake }: NewerVersionProps) {
  return (
    <section className="stale-note newer" aria-label="Newer version" role="alert">
      <h3>There is a newer version</h3>
      <p>Somebody moved the incident since you read it. What you wrote stays; decide anew.</p>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">you read version {seen.version}</th>
            <th scope="col">now version {newest.version}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">state</th>
            <td>{seen.status}</td>
            <td>{newest.status}</td>
          </tr>
          {PEOPLE.filter(([, field]) => seen[field] !== newest[field]).map(([name, field]) => (
            <tr key={field}>
              <th scope="row">{name}</th>
              <td>
                <Who userId={seen[field]} ownId={userId} />
              </td>
              <td>
                <Who userId={newest[field]} ownId={userId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Changes changes={newest.history.slice(seen.history.length)} userId={userId} />
      <Button className="button" onPress={onTake}>
        Go on with version {newest.version}
      </Button>
    </section>
  );
}
