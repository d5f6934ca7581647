import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { CUSTOMERS, type Documents, SESSIONS } from '#platform/state/port.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { customerRef } from '../customers/customers.ts';
import { ownsEmail, reserveEmail } from './accounts.ts';
import type { SessionRef } from './sessions.ts';
import { type SessionRecord, type UserRecord, userRef } from './user-record.ts';

/** How long after its one-time link a session may set an email and a password. */
export const LINK_SESSION_MS = 30 * 60_000;

interface NewCredentials {
  readonly session: SessionRef & { readonly userId: string };
  readonly email: string;
  readonly passwordHash: string;
  /** Unix ms. */
  readonly at: number;
}

type SetCredentials =
  | { readonly ok: true; readonly customer: CustomerRecord; readonly user: UserRecord }
  /** `ALREADY_SET`: the user has a password. `UNDER_WAY`: another request is about to use the email. */
  | { readonly ok: false; readonly reason: 'ALREADY_SET' | 'TOO_OLD' | 'GONE' | 'EMAIL_TAKEN' | 'UNDER_WAY' };

type Refused = Extract<SetCredentials, { ok: false }>;
const refused = (reason: Refused['reason']): Refused => ({ ok: false, reason });

/**
 * Gives the user of a one-time link an email and a password, once. The email is reserved first, in another scope than
 * the user. A crash in between leaves a reservation that the user's record does not confirm, and that the next request
 * takes over.
 */
export async function setCredentials(
  documents: Documents,
  { session, email, passwordHash, at }: NewCredentials,
): Promise<SetCredentials> {
  const { customerId, userId } = session;
  const ref = userRef(customerId, userId);
  const reason = await refusalOf(documents, session, at);
  if (reason !== null) return refused(reason);
  const reserved = await reserveEmail(documents, email, { customerId, userId, reservedAt: at });
  if (reserved !== 'RESERVED') return refused(reserved);
  const written = await changeDocument<UserRecord, SetCredentials>({ documents }, ref, async (user) => {
    const customer = await documents.get<CustomerRecord>(customerRef(customerId));
    if (user === null || customer === null || !customer.value.active) return unchanged(refused('GONE'));
    if (user.value.passwordHash !== null) return unchanged(refused('ALREADY_SET'));
    const value = { ...user.value, email, passwordHash };
    const { id, version: expectedVersion } = customer;
    return {
      value,
      // An erasure that has started in the meantime would not free the email.
      others: [{ collection: CUSTOMERS, id, expectedVersion, value: null, unchanged: true }],
      result: { ok: true, customer: customer.value, user: value },
    };
  });
  if (!written.ok || (await ownsEmail(documents, userId, email))) return written;
  // Took longer than a reservation lasts: the email belongs to another user by now.
  await changeDocument<UserRecord>({ documents }, ref, (user) =>
    user?.value.passwordHash === passwordHash
      ? { value: { ...user.value, email: null, passwordHash: null }, result: undefined }
      : unchanged(undefined),
  );
  return refused('UNDER_WAY');
}

/**
 * Why the session is not allowed to, before anything is written. A user without a password only has sessions from
 * links.
 */
async function refusalOf(
  documents: Documents,
  { customerId, sessionId, userId }: NewCredentials['session'],
  at: number,
): Promise<Refused['reason'] | null> {
  const [user, opened] = await Promise.all([
    documents.get<UserRecord>(userRef(customerId, userId)),
    documents.get<SessionRecord>({ scope: customerId, collection: SESSIONS, id: sessionId }),
  ]);
  if (user === null || opened === null) return 'GONE';
  if (user.value.passwordHash !== null) return 'ALREADY_SET';
  return opened.value.openedAt + LINK_SESSION_MS > at ? null : 'TOO_OLD';
}
