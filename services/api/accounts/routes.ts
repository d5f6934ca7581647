import * as contracts from '#schemas/api/accounts/accounts.ts';
import { getUsage } from '#schemas/api/accounts/usage.ts';
import type { Client } from '../http/authentication/client.ts';
import {
  csrfTokenOf,
  noSessionCookie,
  sentSession,
  sessionCookie,
} from '../http/authentication/session-cookie.ts';
import { envelope } from '../http/envelopes.ts';
import type { AddRoute } from '../http/route.ts';
import { keepUser } from './keep-user.ts';
import { createPasswordHashing } from './password-hashing.ts';
import {
  currentSession,
  type OpenedSession,
  type SigningClient,
  signIn,
  signInByLink,
  signOut,
} from './sign-in.ts';
import { type SignUpDependencies, signUp } from './sign-up.ts';
import { readUsage } from './usage.ts';

/** Origin of the request, with the session that it carried. */
const signing = (client: Client): SigningClient => {
  const session = sentSession(client);
  return {
    address: client.address,
    isLocal: client.isLocal,
    session: session === 'MALFORMED' ? null : session,
  };
};

const signedIn = ({ customer, user, token }: OpenedSession) => {
  const { id, name, type, plan } = customer;
  const fields: contracts.SignedIn = {
    user: { id: user.id, email: user.email, createdAt: user.createdAt },
    customer: { id, name, type, plan },
    csrfToken: csrfTokenOf(token),
  };
  return { body: envelope(fields) };
};

const withCookie = (opened: OpenedSession, client: Client) => ({
  ...signedIn(opened),
  headers: { 'set-cookie': sessionCookie(opened.token, client) },
});

export function accountRoutes(add: AddRoute, shared: Omit<SignUpDependencies, 'passwords'>): void {
  const dependencies = { ...shared, passwords: createPasswordHashing() };
  add(contracts.createAccount, async ({ body, client: clientOf, gone }) => {
    const client = clientOf();
    return withCookie(await signUp(dependencies, body, { client: signing(client), gone }), client);
  });
  add(contracts.createSession, async ({ body, client: clientOf, gone }) => {
    const client = clientOf();
    const opened =
      'linkToken' in body
        ? signInByLink(dependencies, body.linkToken, signing(client))
        : signIn(dependencies, body, { client: signing(client), gone });
    return withCookie(await opened, client);
  });
  add(contracts.getCurrentSession, async ({ caller }) =>
    signedIn(await currentSession(dependencies, caller)),
  );
  add(contracts.deleteSession, async ({ caller, client }) => {
    await signOut(dependencies, caller);
    return { headers: { 'set-cookie': noSessionCookie(client()) } };
  });
  add(contracts.setCredentials, async ({ body, caller, client: clientOf, gone }) =>
    signedIn(await keepUser(dependencies, caller, body, { client: signing(clientOf()), gone })),
  );
  add(getUsage, async ({ caller }) => ({ body: envelope(await readUsage(dependencies, caller)) }));
}
