import { createApiKey, createCustomer, createSandbox, listSandboxes } from '#schemas/endpoints.ts';
import { type Client, RequestFailed } from '../command/client.ts';

/** Name of the customer that the first start creates and `cas demo` fills. */
export const DEMO_NAME = 'Demo';

/** The sandboxes named in `examples/triplets.ndjson`. */
const DEMO_SANDBOXES = [
  ['Customer support', 'PII_DETECTION', ['GDPR', 'CCPA']],
  ['Code assistant', 'SECURITY_AUDIT', ['SOC2', 'ISO27001']],
  ['HR assistant', 'FULL_SPECTRUM', ['GDPR', 'EU_AI_ACT']],
] as const;

interface DemoCustomer {
  readonly customerId: string;
  readonly key: string;
}

/** Creates a customer on plan PRO with an API key, over HTTP. */
export async function createDemoCustomer(internal: Client, name: string): Promise<DemoCustomer> {
  const customer = await internal.call(createCustomer, { body: { name, type: 'COMPANY', plan: 'PRO' } });
  const customerId = String(customer.body.id);
  const key = await internal.call(createApiKey, { params: { id: customerId }, body: { name: 'demo' } });
  return { customerId, key: String(key.body.key) };
}

/** Creates those of the three sandboxes that are missing, with the customer's key. */
export async function createDemoSandboxes(customer: Client): Promise<void> {
  const slugs = await slugsOf(customer);
  for (const [name, sandboxType, regulations] of DEMO_SANDBOXES) {
    const slug = name.toLowerCase().replace(' ', '-');
    if (slugs.includes(slug)) continue;
    try {
      await customer.call(createSandbox, { body: { name, slug, sandboxType, regulations } });
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.code !== 'SANDBOX_EXISTS') throw error;
      // Another demo may have created it in the meantime.
      if (!(await slugsOf(customer)).includes(slug)) throw slugReserved(slug, error);
    }
  }
}

async function slugsOf(customer: Client): Promise<string[]> {
  const { body } = await customer.call(listSandboxes, { query: { limit: 100 } });
  return (body.data as unknown as { readonly slug: string }[]).map(({ slug }) => slug);
}

const slugReserved = (slug: string, { statusCode, code }: RequestFailed): RequestFailed =>
  new RequestFailed(
    `The slug ${slug} is reserved by a deleted sandbox. Run the demo in another workspace: PORT=9000 DATA_DIR=./data-demo npm run demo`,
    statusCode,
    code,
  );
