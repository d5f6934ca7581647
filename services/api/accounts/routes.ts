import * as contracts from '#schemas/api/accounts/accounts.ts';
import * as keys from '#schemas/api/accounts/api-keys.ts';
import { getUsage } from '#schemas/api/accounts/usage.ts';
import { envelope } from '../http/envelopes.ts';
import type { AddRoute } from '../http/route.ts';
import { createApiKeyFor, listApiKeys, revokeApiKey } from '../operators/customers.ts';
import { createPasswordHashing } from './password-hashing.ts';
import { currentSession, signIn, signInByLink, signOut } from './sign-in.ts';
import { type SignUpDependencies, signUp } from './sign-up.ts';
import { readUsage } from './usage.ts';

export function accountRoutes(add: AddRoute, shared: Omit<SignUpDependencies, 'passwords'>): void {
  const dependencies = { ...shared, passwords: createPasswordHashing() };
  add(contracts.createAccount, ({ body, client, gone }) =>
    signUp(dependencies, body, { client: client(), gone }),
  );
  add(contracts.createSession, ({ body, client, gone }) =>
    'linkToken' in body
      ? signInByLink(dependencies, body.linkToken, client())
      : signIn(dependencies, body, { client: client(), gone }),
  );
  add(contracts.getCurrentSession, ({ caller }) => currentSession(dependencies, caller));
  add(contracts.deleteSession, ({ caller, client }) => signOut(dependencies, caller, client()));
  add(keys.createOwnApiKey, ({ caller, body, sent }) =>
    createApiKeyFor(dependencies, caller.customer, body.name, {
      scope: caller.customerId,
      key: sent.idempotency(),
    }),
  );
  add(keys.listOwnApiKeys, async ({ caller, query }) => ({
    body: await listApiKeys(dependencies, caller.customerId, query),
  }));
  add(keys.revokeOwnApiKey, async ({ caller, params }) => ({
    body: envelope(await revokeApiKey(dependencies, caller.customerId, params.id)),
  }));
  add(getUsage, async ({ caller }) => ({ body: envelope(await readUsage(dependencies, caller)) }));
}
