import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '#jest';
import { TRIPLETS } from '#schemas/topics.ts';
import { type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  await harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: customer.headers,
    payload: { name: 'Support', slug: 'support', sandboxType: 'CUSTOM' },
  });
});
afterAll(() => harness.close());

const triplet = { sandboxSlug: 'support', provider: 'openai', model: 'm', prompt: 'p', response: '' };

/** Text of an item, and the code of its answer. */
interface Sent {
  readonly text: string;
  readonly code: string;
}
const of = (value: unknown, code: string): Sent => ({ text: JSON.stringify(value), code });

const good = fc
  .record({ prompt: fc.string({ unit: 'binary', minLength: 1 }), response: fc.string({ unit: 'binary' }) })
  .map((texts) => of({ ...triplet, ...texts }, 'QUEUED'));
const anyJson = fc
  .jsonValue()
  .filter((value) => JSON.stringify(value) !== undefined)
  .map((value) => of(value, 'INVALID_REQUEST'));
const missing = fc
  .constantFrom(...Object.keys(triplet))
  .map((name) => of({ ...triplet, [name]: undefined }, 'INVALID_REQUEST'));
const nowhere = fc.constant(of({ ...triplet, sandboxSlug: 'nowhere' }, 'SANDBOX_NOT_FOUND'));
const large = fc.constant(of({ ...triplet, response: 'x'.repeat(2 * 1024 * 1024) }, 'BODY_TOO_LARGE'));
const broken = fc
  .constantFrom('{', '}{', '"', 'nul', '[1,]')
  .map((text): Sent => ({ text, code: 'INVALID_JSON' }));

const weighted = [
  { weight: 8, arbitrary: good },
  { weight: 3, arbitrary: anyJson },
  { weight: 3, arbitrary: missing },
  { weight: 3, arbitrary: nowhere },
  { weight: 1, arbitrary: large },
];
const batches = fc.oneof(
  fc.record({
    type: fc.constant('application/json'),
    items: fc.array(fc.oneof(...weighted), { minLength: 1, maxLength: 12 }),
  }),
  fc.record({
    type: fc.constant('application/x-ndjson'),
    items: fc.array(fc.oneof(...weighted, { weight: 3, arbitrary: broken }), { minLength: 1, maxLength: 12 }),
  }),
);

test('a batch of valid and invalid items gets one result per item, in order, and no other record', async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.option(fc.uuid(), { nil: undefined }), async ({ type, items }, key) => {
      fc.pre(items.reduce((sum, { text }) => sum + text.length, 0) < 15 * 1024 * 1024);
      const lines = items.map(({ text }) => text);
      const before = harness.log.of(TRIPLETS.name).length;
      const answer = await harness.call({
        method: 'POST',
        url: '/audit/ingest/batch',
        headers: {
          ...customer.headers,
          'content-type': type,
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        payload: type === 'application/json' ? `[${lines.join(',')}]` : lines.join('\n'),
      });
      const data = answer.body.data as { index: number; auditId?: string; error?: { code: string } }[];
      expect(data.map(({ index }) => index)).toEqual(items.map((_, index) => index));
      expect(data.map(({ error }) => error?.code ?? 'QUEUED')).toEqual(items.map(({ code }) => code));
      const accepted = items.filter(({ code }) => code === 'QUEUED').length;
      expect(answer.status).toBe(accepted > 0 ? 202 : 400);
      expect(answer.body).toMatchObject({
        success: accepted > 0,
        accepted,
        rejected: items.length - accepted,
      });
      const appended = harness.log.of(TRIPLETS.name).slice(before);
      expect(appended.map((record) => record.key)).toEqual(data.flatMap(({ auditId }) => auditId ?? []));
    }),
    { numRuns: 80 },
  );
});
