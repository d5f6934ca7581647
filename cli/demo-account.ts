import { randomBytes } from 'node:crypto';
import type { Settings } from '#platform/config/settings.ts';
import { newId } from '#platform/process/new-id.ts';
import type { State } from '#platform/state/port.ts';
import { createLinkUser } from '#records/users/accounts.ts';
import { makeSignInLink } from '#records/users/sign-in-links.ts';
import { targetOf } from '#schemas/api/openapi/request.ts';
import { getUiIndex, ingestAudit, listCustomers, listSignals } from '#schemas/endpoints.ts';
import type { ApiAddresses } from '#services/api/listeners.ts';
import { createClient, internalClient } from './command/client.ts';
import { print } from './command/output.ts';
import { createDemoCustomer, createDemoSandboxes } from './demo/customer.ts';

const EXAMPLE = JSON.stringify({
  sandboxSlug: 'customer-support',
  provider: 'openai',
  model: 'gpt-4o',
  prompt: 'Please answer jane.roe@example.org about her order.',
  response: 'Dear Jane, your parcel leaves today.',
});

/**
 * On an empty data folder: a customer with three sandboxes, its key, a link that signs in to it, and example calls. Key
 * and link are shown only once.
 */
export async function makeDemoAccount(
  settings: Settings,
  state: State,
  { url, adminUrl }: ApiAddresses,
): Promise<void> {
  const internal = internalClient(settings, adminUrl);
  const customers = (await internal.call(listCustomers, { query: { limit: 1 } })).body
    .data as unknown as unknown[];
  if (customers.length > 0) return;
  const { customerId, key } = await createDemoCustomer(internal, 'Demo');
  await createDemoSandboxes(createClient(url, { [settings.keyHeader]: key }));
  print(`A demo customer (plan PRO) was made: ${customerId}`);
  print(`Its API key, shown this once: ${key}`);
  print(
    `Sign in to it, once and within ten minutes: ${url}${getUiIndex.path}#token=${await signInToken(state, customerId)}`,
  );
  print('\nIngest a triplet:\n');
  print(`  curl -s ${url}${ingestAudit.path} -H '${settings.keyHeader}: ${key}' \\`);
  print(`    -H 'content-type: application/json' -d '${EXAMPLE}'\n`);
  print('Read its signal (the newest one):\n');
  print(
    `  curl -s '${url}${targetOf(listSignals, { query: { limit: 1 } })}' -H '${settings.keyHeader}: ${key}'\n`,
  );
}

/** In the fragment of an address, which a browser sends to nobody: the page posts it. */
async function signInToken({ documents, expiring }: State, customerId: string): Promise<string> {
  const userId = newId();
  await createLinkUser(documents, { customerId, userId, at: new Date().toISOString() });
  return makeSignInLink(expiring, randomBytes, { customerId, userId });
}
