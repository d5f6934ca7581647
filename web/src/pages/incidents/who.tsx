import { isSameUser } from '#core/evidence/incidents/people.ts';

interface WhoProps {
  readonly userId: string | null;
  /** The signed-in user. */
  readonly ownId: string;
}

/** Prefix of the id of a signed-in user. */
export const SIGNED_IN = 'user:';

/** A user as a record names it. */
export function Who({ userId, ownId }: WhoProps) {
  if (userId === null) return <>–</>;
  if (userId === 'system') return <>policy</>;
  if (isSameUser(userId, ownId)) return <strong>you</strong>;
  return <code>{userId}</code>;
}
