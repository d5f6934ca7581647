import { isSameUser } from '#core/evidence/incidents/people.ts';

interface WhoProps {
  readonly userId: string | null;
  /** Who looks. */
  readonly ownId: string;
}

/** `user:` before the id of somebody who was signed in. */
export const SIGNED_IN = 'user:';

/** A user as a record names it. */
export function Who({ userId, ownId }: WhoProps) {
  if (userId === null) return <>nobody</>;
  if (userId === 'system') return <>a policy</>;
  if (isSameUser(userId, ownId)) return <strong>you</strong>;
  return <code>{userId}</code>;
}
