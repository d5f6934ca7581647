import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import * as contracts from '#schemas/api/customers.ts';
import { createSignInLink as signInLinkContract } from '#schemas/api/sign-in-links.ts';
import { changed, envelope, made } from '../http/envelopes.ts';
import { onceOf } from '../http/idempotently.ts';
import type { AddRoute } from '../http/route.ts';
import type { SettingsDependencies } from '../operations/correlation-settings.ts';
import * as operations from './customers.ts';
import { createSignInLink, type LinkDependencies } from './sign-in-links.ts';

export function customerRoutes(add: AddRoute, dependencies: SettingsDependencies & LinkDependencies): void {
  const once = onceOf(dependencies);
  add(contracts.createCustomer, ({ body, sent }) =>
    operations.createCustomer(dependencies, body, once(SYSTEM_SCOPE, sent, made)),
  );
  add(contracts.listCustomers, async ({ query }) => ({
    body: await operations.listCustomers(dependencies, query),
  }));
  add(contracts.getCustomer, async ({ params }) => ({
    body: envelope(await operations.readCustomer(dependencies, params.id)),
  }));
  add(contracts.updateCustomer, ({ params, body, sent }) =>
    operations.updateCustomer(dependencies, params.id, body, once(SYSTEM_SCOPE, sent, changed)),
  );
  add(signInLinkContract, async ({ body }) => ({
    body: envelope(await createSignInLink(dependencies, body)),
  }));
  add(contracts.eraseCustomer, async ({ params }) => ({
    body: envelope(await operations.eraseCustomer(dependencies, params.id)),
  }));
}
