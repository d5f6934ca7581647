import { TRIPLETS } from '#schemas/topics.ts';
import { type Answered, type Harness, startHarness, type TestCustomer } from './harness.ts';

export const TRIPLET = {
  sandboxSlug: 'support',
  provider: 'openai',
  model: 'gpt-4o',
  prompt: 'Hello',
  response: 'Hi',
};

export const triplets = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => ({ ...TRIPLET, prompt: `Hello ${n}` }));

export interface ItemResult {
  readonly index: number;
  readonly auditId?: string;
  readonly error?: { readonly statusCode: number; readonly code: string; readonly message: string };
}

export const resultsOf = (answer: Answered): ItemResult[] => answer.body.data;
export const codesOf = (answer: Answered): string[] =>
  resultsOf(answer).map(({ error }) => error?.code ?? 'QUEUED');
export const idsOf = (answer: Answered): string[] =>
  resultsOf(answer).flatMap(({ auditId }) => auditId ?? []);

/** The API, a customer with the sandbox `support`, and functions that send batches to it. */
export async function startBatches() {
  const harness: Harness = await startHarness();
  const customer: TestCustomer = await harness.customer();
  const makeSandbox = (headers: TestCustomer['headers'], slug = TRIPLET.sandboxSlug, active = true) =>
    harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers,
      payload: { name: 'Support', slug, sandboxType: 'FULL_SPECTRUM', active },
    });
  const post = (payload: string | Buffer, type: string, headers: Record<string, string> = customer.headers) =>
    harness.call({
      method: 'POST',
      url: '/audit/ingest/batch',
      headers: { ...headers, 'content-type': type },
      payload,
    });
  await makeSandbox(customer.headers);
  return {
    harness,
    customer,
    makeSandbox,
    post,
    send: (items: readonly unknown[], headers?: Record<string, string>) =>
      post(JSON.stringify(items), 'application/json', headers),
    sendLines: (lines: readonly string[], headers?: Record<string, string>) =>
      post(lines.join('\n'), 'application/x-ndjson', headers),
    withKey: (key: string) => ({ ...customer.headers, 'idempotency-key': key }),
    records: () => harness.log.of(TRIPLETS.name),
    count: (of: TestCustomer = customer) =>
      harness.state.admission.auditCount(of.id, harness.dependencies.now()),
  };
}
export type Batches = Awaited<ReturnType<typeof startBatches>>;
