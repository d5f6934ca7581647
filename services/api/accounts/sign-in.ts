import { Refusal } from '#platform/flow/refusal.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { type FoundUser, readUser, userByEmail } from '#records/users/accounts.ts';
import { endSession, isKnownNetwork, openSession } from '#records/users/sessions.ts';
import { useSignInLink } from '#records/users/sign-in-links.ts';
import type { Credentials } from '#schemas/api/accounts/accounts.ts';
import type { Caller, SentSession } from '../operations/caller.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';
import { networkOf } from '../operations/limits/address-buckets.ts';
import type { PasswordHashing } from './password-hashing.ts';
import { failuresOn, paySignIn } from './throttles.ts';

type SessionDependencies = Pick<ApiDependencies, 'state' | 'now' | 'randomBytes' | 'announce'> & {
  readonly makeEntry: EntryMaker;
};
export type SignInDependencies = SessionDependencies & { readonly passwords: PasswordHashing };

/** Origin of a request that signs in. */
export interface SigningClient {
  readonly address: string;
  /** Whether it comes from this machine, without a proxy. */
  readonly isLocal: boolean;
  /** The session that it carried; null: none, or malformed. */
  readonly session: SentSession | null;
}

/** A request that signs in. */
export interface SignInRequest {
  readonly client: SigningClient;
  /** Fires when the client has left. */
  readonly gone: AbortSignal;
}

/** A signed-in user with its token. */
export interface OpenedSession extends FoundUser {
  readonly token: string;
}

/** Signs in with email and password. Every failure does the same work and gives the same answer. */
export async function signIn(
  dependencies: SignInDependencies,
  { email, password }: Credentials,
  request: SignInRequest,
): Promise<OpenedSession> {
  const { state, passwords } = dependencies;
  const network = networkOf(request.client.address);
  const isKnownTo = (user: FoundUser | null): boolean => user !== null && isKnownNetwork(user.user, network);
  const hasher = {
    network,
    isKnown: isKnownTo(await userByEmail(state.documents, email)),
    gone: request.gone,
  };
  const found = await passwords.during(hasher, async () => {
    await paySignIn(state.admission, network);
    const user = await userByEmail(state.documents, email);
    const isKnown = isKnownTo(user);
    const failures = failuresOn(state.admission, email, isKnown ? network : null);
    await failures.check();
    const isRight = await passwords.matches(password, user?.user.passwordHash ?? null);
    if (user !== null && isRight) return user;
    await failures.count();
    throw new Refusal('INVALID_CREDENTIALS');
  });
  return openSessionOf(dependencies, found, request.client);
}

/** Signs in with a link's token, which works only from this machine and while the user has no password. */
export async function signInByLink(
  dependencies: SessionDependencies,
  linkToken: string,
  client: SigningClient,
): Promise<OpenedSession> {
  const { expiring, documents } = dependencies.state;
  const linked = client.isLocal ? await useSignInLink(expiring, linkToken) : null;
  const found = linked === null ? null : await readUser(documents, linked.customerId, linked.userId);
  if (found === null) throw new Refusal('INVALID_LINK');
  return openSessionOf(dependencies, found, client, 'link');
}

/** Opens a session, and ends the one that the request carried: a token known from before gains nothing. */
export async function openSessionOf(
  { state, now, randomBytes, makeEntry, announce }: SessionDependencies,
  { customer, user }: FoundUser,
  client: SigningClient,
  by: 'link' | 'password' = 'password',
): Promise<OpenedSession> {
  const records = { documents: state.documents, makeEntry, announce };
  const token = await openSession(records, randomBytes, {
    customerId: customer.id,
    userId: user.id,
    at: now(),
    network: networkOf(client.address),
    byLink: by === 'link',
  });
  // The erasure of its customer has just started, or the user of the link has a password.
  if (token === null) throw new Refusal(by === 'link' ? 'INVALID_LINK' : 'INVALID_CREDENTIALS');
  if (client.session !== null) await endSession(records, client.session, now());
  return { customer, user, token };
}

/** The caller's session; the routes' guard admits no caller without one. */
export const sessionOf = ({ session }: Caller) => {
  if (session === null) throw new Refusal('SESSION_REQUIRED');
  return session;
};

export async function currentSession(
  { state }: Pick<SessionDependencies, 'state'>,
  caller: Caller,
): Promise<OpenedSession> {
  const { userId, token } = sessionOf(caller);
  const found = await readUser(state.documents, caller.customerId, userId);
  if (found === null) throw new Refusal('INVALID_SESSION');
  return { ...found, token };
}

export async function signOut(
  { state, now, makeEntry, announce }: SessionDependencies,
  caller: Caller,
): Promise<void> {
  await endSession({ documents: state.documents, makeEntry, announce }, sessionOf(caller), now());
}
