import type { Settings } from '#platform/config/settings.ts';
import type { ApiAddresses } from '#services/api/listeners.ts';
import { createClient, internalClient } from '../client.ts';
import { createDemoCustomer, createDemoSandboxes } from '../demo/customer.ts';
import { print } from '../output.ts';

const EXAMPLE = JSON.stringify({
  sandboxSlug: 'customer-support',
  provider: 'openai',
  model: 'gpt-4o',
  prompt: 'Please answer jane.roe@example.org about her order.',
  response: 'Dear Jane, your parcel leaves today.',
});

/** On an empty data folder: a customer with three sandboxes, its key and example calls. The key is shown only once. */
export async function makeDemoAccount(settings: Settings, { url, adminUrl }: ApiAddresses): Promise<void> {
  const internal = internalClient(settings, adminUrl);
  const customers = (await internal.call('GET', '/internal/customers?limit=1')).body
    .data as unknown as unknown[];
  if (customers.length > 0) return;
  const { customerId, key } = await createDemoCustomer(internal, 'Demo');
  await createDemoSandboxes(createClient(url, { [settings.keyHeader]: key }));
  print(`A demo customer (plan PRO) was made: ${customerId}`);
  print(`Its API key, shown this once: ${key}`);
  print('\nIngest a triplet:\n');
  print(`  curl -s ${url}/audit/ingest -H '${settings.keyHeader}: ${key}' \\`);
  print(`    -H 'content-type: application/json' -d '${EXAMPLE}'\n`);
  print('Read its signal (the newest one):\n');
  print(`  curl -s '${url}/dashboard/signals?limit=1' -H '${settings.keyHeader}: ${key}'\n`);
}
