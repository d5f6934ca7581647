import { type Session, useSession } from '../../api/use-session.ts';
import { label } from '../../labels/label.ts';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';

function Facts({ session: { user, customer } }: { readonly session: Session }) {
  return (
    <dl className="facts">
      <div>
        <dt>Name</dt>
        <dd>{customer.name}</dd>
      </div>
      <div>
        <dt>Account type</dt>
        <dd>{label('accountType', customer.type)}</dd>
      </div>
      <div>
        <dt>Customer ID</dt>
        <dd>
          <code>{customer.id}</code>
        </dd>
      </div>
      <div>
        <dt>Signed in as</dt>
        <dd>{user.email ?? 'Demo session'}</dd>
      </div>
      <div>
        <dt>User ID</dt>
        <dd>
          <code>{user.id}</code>
        </dd>
      </div>
      <div>
        <dt>Member since</dt>
        <dd>
          <Time at={user.createdAt} withAge />
        </dd>
      </div>
    </dl>
  );
}

/** The signed-in user and customer. */
export function Account() {
  const session = useSession();
  return (
    <Tile title="Your account" query={session}>
      {(data) =>
        data !== null && (
          <>
            <Facts session={data} />
            <p className="muted">
              A session ends after 12 hours of inactivity, and after 30 days in any case. Signing out ends it
              immediately.
            </p>
          </>
        )
      }
    </Tile>
  );
}
