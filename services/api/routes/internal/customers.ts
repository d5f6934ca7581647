import * as contracts from '../../../../schemas/api/customers.ts';
import type { RecordParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import * as useCases from '../../use-cases/customers.ts';
import { twice } from '../../use-cases/envelopes.ts';

export function customerRoutes(add: AddRoute, parts: RecordParts): void {
  add(contracts.createCustomer, ({ body, sent }) => useCases.createCustomer(parts, body, sent.idempotency()));
  add(contracts.listCustomers, async ({ query }) => ({ body: await useCases.listCustomers(parts, query) }));
  add(contracts.getCustomer, async ({ params }) => ({
    body: twice(await useCases.readCustomer(parts, params.id)),
  }));
  add(contracts.updateCustomer, ({ params, body, sent }) =>
    useCases.updateCustomer(parts, params.id, body, sent.idempotency()),
  );
  add(contracts.eraseCustomer, async ({ params }) => ({
    body: twice(await useCases.eraseCustomer(parts, params.id)),
  }));
  add(contracts.createApiKey, ({ params, body, sent }) =>
    useCases.createApiKey(parts, params.id, body.name, sent.idempotency()),
  );
  add(contracts.listApiKeys, async ({ params, query }) => ({
    body: await useCases.listApiKeys(parts, params.id, query),
  }));
  add(contracts.revokeApiKey, async ({ params }) => ({
    body: twice(await useCases.revokeApiKey(parts, params.id, params.keyId)),
  }));
}
