import { createClient } from '../../cli/client.ts';
import { customerClient, type TestCustomer } from './customer.ts';
import type { TestService } from './service.ts';

export interface TestAccount extends TestCustomer {
  /** Of every request that its session makes. */
  readonly sessionHeaders: Readonly<Record<string, string>>;
}

/** A customer whose user signed up over HTTP, with an API key. Plan ENTERPRISE. An address makes five an hour. */
export async function makeAccount(
  { url, internalSecret }: Pick<TestService, 'url' | 'internalSecret'>,
  name: string,
): Promise<TestAccount> {
  const answer = await fetch(`${url}/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `${name}@example.org`,
      password: 'seven quiet grey herons',
      name,
      type: 'COMPANY',
    }),
  });
  if (answer.status !== 201) throw new Error(`signing up was answered with ${answer.status}`);
  const { customer, csrfToken } = (await answer.json()) as { customer: { id: string }; csrfToken: string };
  const cookie = String(answer.headers.get('set-cookie')).split(';', 1)[0]!;
  const sessionHeaders = { cookie, 'x-csrf-token': csrfToken };
  const internal = createClient(url, { 'x-internal-secret': internalSecret });
  await internal.call('PATCH', `/internal/customers/${customer.id}`, { plan: 'ENTERPRISE' });
  const made = await createClient(url, sessionHeaders).call('POST', '/api-keys', { name: 'test' });
  const key = String(made.body.key);
  return { id: customer.id, key, client: customerClient(url, key), sessionHeaders };
}
