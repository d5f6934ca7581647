import { afterAll, beforeAll, expect, test } from '#jest';
import { type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  const neighbour = await harness.customer();
  for (const [{ headers }, slug] of [
    [customer, 'customer-support'],
    [customer, 'old-support'],
    [neighbour, 'wherever-it-is'],
  ] as const)
    await harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers,
      payload: { name: slug, slug, sandboxType: 'FULL_SPECTRUM' },
    });
  await harness.call({ method: 'DELETE', url: '/sandboxes/old-support', headers: customer.headers });
});
afterAll(() => harness.close());

test('items with an unknown sandbox get the customer’s most similar one suggested', async () => {
  const item = (sandboxSlug: string) => ({
    ...{ sandboxSlug, provider: 'openai', model: 'gpt-5', prompt: 'Hello', response: '' },
  });
  const slugs = ['customer-suport', 'customer-support', 'wherever-it-i', 'old-suport', 'customer-suport'];
  const { status, body } = await harness.call({
    method: 'POST',
    url: '/audit/ingest/batch',
    headers: customer.headers,
    payload: slugs.map(item),
  });
  expect(status).toBe(202);
  const messages = (body.data as { readonly error?: { readonly message: string } }[]).map(
    ({ error }) => error?.message ?? null,
  );
  const meant = 'Sandbox not found. Did you mean "customer-support"?';
  expect(messages).toEqual([meant, null, 'Sandbox not found', 'Sandbox not found', meant]);
});
