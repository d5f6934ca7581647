import * as contracts from '#schemas/api/customers.ts';
import type { SettingsDependencies } from '../evidence/correlations/settings.ts';
import { envelope } from '../http/envelopes.ts';
import type { AddRoute } from '../http/route.ts';
import * as useCases from './customers.ts';

export function customerRoutes(add: AddRoute, dependencies: SettingsDependencies): void {
  add(contracts.createCustomer, ({ body, sent }) =>
    useCases.createCustomer(dependencies, body, sent.idempotency()),
  );
  add(contracts.listCustomers, async ({ query }) => ({
    body: await useCases.listCustomers(dependencies, query),
  }));
  add(contracts.getCustomer, async ({ params }) => ({
    body: envelope(await useCases.readCustomer(dependencies, params.id)),
  }));
  add(contracts.updateCustomer, ({ params, body, sent }) =>
    useCases.updateCustomer(dependencies, params.id, body, sent.idempotency()),
  );
  add(contracts.eraseCustomer, async ({ params }) => ({
    body: envelope(await useCases.eraseCustomer(dependencies, params.id)),
  }));
  add(contracts.createApiKey, ({ params, body, sent }) =>
    useCases.createApiKey(dependencies, params.id, body.name, sent.idempotency()),
  );
  add(contracts.listApiKeys, async ({ params, query }) => ({
    body: await useCases.listApiKeys(dependencies, params.id, query),
  }));
  add(contracts.revokeApiKey, async ({ params }) => ({
    body: envelope(await useCases.revokeApiKey(dependencies, params.id, params.keyId)),
  }));
}
