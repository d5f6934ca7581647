import { type Session, useSession } from '../../api/use-session.ts';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';

function Facts({ session: { user, customer } }: { readonly session: Session }) {
  return (
    <dl className="facts">
      <div>
        <dt>name</dt>
        <dd>{customer.name}</dd>
      </div>
      <div>
        <dt>account of</dt>
        <dd>{customer.type === 'COMPANY' ? 'a company' : 'a person'}</dd>
      </div>
      <div>
        <dt>customer id</dt>
        <dd>
          <code>{customer.id}</code>
        </dd>
      </div>
      <div>
        <dt>signed in as</dt>
        <dd>{user.email ?? 'nobody’s address: by a link'}</dd>
      </div>
      <div>
        <dt>user id</dt>
        <dd>
          <code>{user.id}</code>
        </dd>
      </div>
      <div>
        <dt>user since</dt>
        <dd>
          <Time at={user.createdAt} withAge />
        </dd>
      </div>
    </dl>
  );
}

/** Who is signed in, and for whom. */
export function Account() {
  const session = useSession();
  return (
    <Tile title="Who is signed in" query={session}>
      {(data) =>
        data !== null && (
          <>
            <Facts session={data} />
            <p className="muted">
              A session ends after 12 hours without a request, and after 30 days. Signing out ends it at once,
              on every node.
            </p>
          </>
        )
      }
    </Tile>
  );
}
