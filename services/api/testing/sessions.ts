import { entryMaker } from '#records/changes/entry-maker.ts';
import { createLinkUser } from '#records/users/accounts.ts';
import { openSession } from '#records/users/sessions.ts';
import { CSRF_HEADER, SESSION_COOKIE } from '#schemas/api/accounts/cookie.ts';
import { csrfTokenOf } from '../http/authentication/session-cookie.ts';
import type { Harness } from './harness.ts';

export interface TestSession {
  readonly userId: string;
  readonly token: string;
  /** Headers of every request that the session makes. */
  readonly headers: Readonly<Record<string, string>>;
}

export const headersOfSession = (token: string): Readonly<Record<string, string>> => ({
  cookie: `${SESSION_COOKIE}=${token}`,
  [CSRF_HEADER]: csrfTokenOf(token),
});

/** A session of a user of the customer (by default a new user), made without the HTTP interface. */
export async function openTestSession(
  { dependencies }: Pick<Harness, 'dependencies'>,
  customerId: string,
  userId = dependencies.newId(dependencies.now()),
): Promise<TestSession> {
  const { state, now, randomBytes, announce } = dependencies;
  const at = now();
  await createLinkUser(state.documents, { customerId, userId, at: new Date(at).toISOString() });
  const asked = { customerId, userId, at, network: '127.0.0.1' };
  const records = { documents: state.documents, makeEntry: entryMaker(dependencies), announce };
  const token = await openSession(records, randomBytes, asked);
  if (token === null) throw new Error('no session was opened');
  return { userId, token, headers: headersOfSession(token) };
}
