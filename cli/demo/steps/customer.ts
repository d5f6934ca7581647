import { createApiKey, createCustomer, createSandbox } from '#schemas/endpoints.ts';
import type { SandboxType } from '#schemas/vocabulary.ts';
import type { Client } from '../../command/client.ts';

interface DemoSandbox {
  readonly name: string;
  readonly slug: string;
  readonly sandboxType: SandboxType;
  readonly regulations: readonly string[];
}

/** The sandboxes that `examples/triplets.ndjson` names. */
const DEMO_SANDBOXES: readonly DemoSandbox[] = [
  {
    name: 'Customer support',
    slug: 'customer-support',
    sandboxType: 'PII_DETECTION',
    regulations: ['GDPR', 'CCPA'],
  },
  {
    name: 'Code assistant',
    slug: 'code-assistant',
    sandboxType: 'SECURITY_AUDIT',
    regulations: ['SOC2', 'ISO27001'],
  },
  {
    name: 'HR assistant',
    slug: 'hr-assistant',
    sandboxType: 'FULL_SPECTRUM',
    regulations: ['GDPR', 'EU_AI_ACT'],
  },
];

interface DemoCustomer {
  readonly customerId: string;
  readonly keyId: string;
  readonly key: string;
}

/** Creates a customer on plan PRO with an API key, over HTTP. */
export async function createDemoCustomer(internal: Client, name: string): Promise<DemoCustomer> {
  const customer = await internal.call(createCustomer, { body: { name, type: 'COMPANY', plan: 'PRO' } });
  const customerId = String(customer.body.id);
  const key = await internal.call(createApiKey, { params: { id: customerId }, body: { name: 'demo' } });
  return { customerId, keyId: String(key.body.id), key: String(key.body.key) };
}

/** Creates the three sandboxes with the customer's key; returns their ids. */
export async function createDemoSandboxes(customer: Client): Promise<string[]> {
  const ids: string[] = [];
  for (const sandbox of DEMO_SANDBOXES)
    ids.push(String((await customer.call(createSandbox, { body: sandbox })).body.id));
  return ids;
}

/** Slugs of the sandboxes whose regulations name a framework. */
export const slugsUnder = (framework: string): string[] =>
  DEMO_SANDBOXES.filter(({ regulations }) => regulations.includes(framework)).map(({ slug }) => slug);
