import fc from 'fast-check';
import { detect } from '#core/detect/detect.ts';
import { assess } from '#core/detect/judge/assess.ts';
import { isHint } from '#core/detect/judge/severity.ts';
import { text } from '#core/detect/testing/texts.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import { SANDBOX_VERSIONS, type SandboxRecord } from '#records/documents/sandbox-record.ts';
import type { ScanResult } from '#schemas/api/scan.ts';
import { type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';

/** A scan before the call and an analysis after it judge a text alike: both find the same. */

const RULES = ['falcon', 'jo@', '/[45]\\d{2}-\\d+|\\bsk-\\w*/', '/é+|\\p{Lu}{3,}/u', '555'];

let harness: Harness;
let customer: TestCustomer;
let sandbox: SandboxRecord;
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  const payload = { name: 'Guard', slug: 'guard', sandboxType: 'FULL_SPECTRUM', customRules: RULES };
  const made = await harness.call({ method: 'POST', url: '/sandboxes', headers: customer.headers, payload });
  expect(made.status).toBe(201);
  const id = `${made.body.id}:1`;
  const ref = { scope: customer.id, collection: SANDBOX_VERSIONS, id };
  sandbox = (await harness.state.documents.get<SandboxRecord>(ref))!.value;
});
afterAll(() => harness.close());

/** A text after transport: a lone surrogate has no form in UTF-8. */
const sent = (made: string): string => Buffer.from(made, 'utf8').toString('utf8');

const scan = async (userInput: string): Promise<ScanResult> => {
  const payload = { sandbox: 'guard', userInput };
  const url = '/guardian/scan';
  const answer = await harness.call({ method: 'POST', url, headers: customer.headers, payload });
  expect(answer.status).toBe(200);
  return answer.body;
};

test('the scan finds what the analyzer finds', async () => {
  let finds = 0;
  await fc.assert(
    fc.asyncProperty(text.map(sent), async (input) => {
      const texts = [{ source: 'prompt', text: input }] as const;
      const all = detect(texts, { customRules: RULES });
      // A scan omits hints.
      const matches = all.filter((match) => !isHint(match));
      const assessment = assess(matches, sandbox);
      const result = await scan(input);
      expect(result.violations).toEqual(assessment.violations);
      expect(result.confidence).toBe(assessment.confidence);
      const values = matches.filter(({ entity }) => entity !== null);
      finds += values.length;
      expect(
        result.detectedEntities.map(({ type, start, end, confidence, ruleIndex }) => ({
          type,
          start,
          end,
          confidence,
          ruleIndex,
        })),
      ).toEqual(
        values.map(({ entity, start, end, confidence, ruleIndex }) => ({
          type: entity,
          start,
          end,
          confidence,
          ruleIndex,
        })),
      );
      for (const { start, end, originalValue } of result.detectedEntities) {
        expect(input.slice(start, end)).toBe(originalValue);
      }
    }),
  );
  expect(finds).toBeGreaterThan(50);
});
