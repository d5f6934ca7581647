import type { Settings } from '#platform/config/settings.ts';
import { listCustomers } from '#schemas/endpoints.ts';
import type { ApiAddresses } from '#services/api/listeners.ts';
import { createClient, internalClient } from './command/client.ts';
import { createDemoCustomer, createDemoSandboxes } from './demo/customer.ts';

interface DemoAccount {
  readonly customerId: string;
  /** Shown only once. */
  readonly key: string;
}

/** On an empty data folder: a customer with three sandboxes and a key. Null when customers exist. */
export async function makeDemoAccount(
  settings: Settings,
  { url, adminUrl }: ApiAddresses,
): Promise<DemoAccount | null> {
  const internal = internalClient(settings, adminUrl);
  const { data } = (await internal.call(listCustomers, { query: { limit: 1 } })).body;
  if ((data as unknown as unknown[]).length > 0) return null;
  const account = await createDemoCustomer(internal, 'Demo');
  await createDemoSandboxes(createClient(url, { [settings.keyHeader]: account.key }));
  return account;
}
