import { type Client, createClient } from '../../cli/command/client.ts';
import type { TestService } from './service.ts';

export interface TestCustomer {
  readonly id: string;
  readonly key: string;
  readonly client: Client;
}

/** A customer with an API key, created over HTTP. Plan ENTERPRISE: 500 requests a second, no quotas. */
export async function makeCustomer(
  service: Pick<TestService, 'url' | 'internalSecret'>,
  name: string,
  plan = 'ENTERPRISE',
): Promise<TestCustomer> {
  const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
  const customer = await internal.request('POST', '/internal/customers', { name, type: 'COMPANY', plan });
  const id = String(customer.body.id);
  const key = await internal.request('POST', `/internal/customers/${id}/api-keys`, { name: 'test' });
  return { id, key: String(key.body.key), client: customerClient(service.url, String(key.body.key)) };
}

export const customerClient = (url: string, key: string): Client =>
  createClient(url, { 'x-service-key': key });

export const makeSandbox = async (
  client: Client,
  slug: string,
  extra: Record<string, unknown> = {},
): Promise<void> => {
  await client.request('POST', '/sandboxes', { name: slug, slug, sandboxType: 'FULL_SPECTRUM', ...extra });
};

export const triplet = (
  sandboxSlug: string,
  number: number,
  model = 'test-model',
): Record<string, unknown> => ({
  sandboxSlug,
  provider: 'openai',
  model,
  prompt: `Question ${number}: please write to ann.example.${number}@example.org about her order.`,
  response: `Answer ${number}: done.`,
  metadata: { promptTokens: number, outputTokens: 3 },
});
