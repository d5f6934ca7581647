import { Button } from 'react-aria-components';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { label } from '../../labels/label.ts';
import { Changes } from './history.tsx';
import { Who } from './who.tsx';

interface NewerVersionProps {
  readonly seen: Incident;
  readonly newest: Incident;
  readonly userId: string;
  readonly onTake: () => void;
}

const PEOPLE = [
  ['Investigator', 'investigatorId'],
  ['Resolved by', 'resolverId'],
  ['Verified by', 'verifierId'],
  ['Closed by', 'closerId'],
] as const;

/** Changes by others since this incident was opened here. */
export function NewerVersion({ seen, newest, userId, onTake }: NewerVersionProps) {
  return (
    <section className="stale-note newer" aria-label="Updated by someone else" role="alert">
      <h3>Updated by someone else</h3>
      <p>Your text is kept. Review the changes and try again.</p>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">Yours (version {seen.version})</th>
            <th scope="col">Latest (version {newest.version})</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Status</th>
            <td>{label('incidentStatus', seen.status)}</td>
            <td>{label('incidentStatus', newest.status)}</td>
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
        Continue with version {newest.version}
      </Button>
    </section>
  );
}
