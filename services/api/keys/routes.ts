import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import * as own from '#schemas/api/accounts/api-keys.ts';
import * as contracts from '#schemas/api/customers.ts';
import { envelope, madeApiKey } from '../http/envelopes.ts';
import { onceOf } from '../http/idempotently.ts';
import type { AddRoute } from '../http/route.ts';
import type { RecordDependencies } from '../operations/dependencies.ts';
import { createApiKey, createApiKeyFor, listApiKeys, revokeApiKey } from './keys.ts';

/** For a signed-in user: keys of its customer. */
export function ownKeyRoutes(add: AddRoute, dependencies: RecordDependencies): void {
  const once = onceOf(dependencies);
  add(own.createOwnApiKey, ({ caller, body, sent }) =>
    createApiKeyFor(dependencies, caller.customer, body.name, once(caller.customerId, sent, madeApiKey)),
  );
  add(own.listOwnApiKeys, async ({ caller, query }) => ({
    body: await listApiKeys(dependencies, caller.customerId, query),
  }));
  add(own.revokeOwnApiKey, async ({ caller, params }) => ({
    body: envelope(await revokeApiKey(dependencies, caller.customerId, params.id)),
  }));
}

/** For the platform: keys of any customer. */
export function customerKeyRoutes(add: AddRoute, dependencies: RecordDependencies): void {
  const once = onceOf(dependencies);
  add(contracts.createApiKey, ({ params, body, sent }) =>
    createApiKey(dependencies, params.id, body.name, once(SYSTEM_SCOPE, sent, madeApiKey)),
  );
  add(contracts.listApiKeys, async ({ params, query }) => ({
    body: await listApiKeys(dependencies, params.id, query),
  }));
  add(contracts.revokeApiKey, async ({ params }) => ({
    body: envelope(await revokeApiKey(dependencies, params.id, params.keyId)),
  }));
}
