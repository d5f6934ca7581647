import fc from 'fast-check';
import { expect, test } from '#jest';
import {
  GUARDIAN_ACTIONS,
  REDACTION_STRATEGIES,
  SANDBOX_TYPES,
  VIOLATION_CODES,
} from '#schemas/vocabulary.ts';
import { detect } from './detect.ts';
import { finish } from './find/steps.ts';
import type { SourceText } from './read/texts.ts';
import type { RedactedEntity } from './report/redact.ts';
import { shortHash } from './report/short-hash.ts';
import { scanInSteps } from './scan.ts';
import { text } from './testing/texts.ts';

const policy = fc.record({
  sandboxType: fc.constantFrom(...SANDBOX_TYPES),
  guardianAction: fc.constantFrom(...GUARDIAN_ACTIONS),
  redactionStrategy: fc.constantFrom(...REDACTION_STRATEGIES),
});
const texts = fc.tuple(text, text).map(([userInput, systemPrompt]): SourceText[] => [
  { source: 'userInput', text: userInput },
  { source: 'systemPrompt', text: systemPrompt },
]);
const hash = shortHash(Buffer.alloc(32, 1));

/** The text with each entity replaced by its redacted value. */
function spliced(input: string, entities: readonly RedactedEntity[]): string {
  let [result, done] = ['', 0];
  for (const { start, end, redactedValue } of entities) {
    result += input.slice(done, start) + redactedValue;
    done = end;
  }
  return result + input.slice(done);
}

test('clean texts are the input with entities replaced, and nothing else reveals a value', () => {
  fc.assert(
    fc.property(texts, policy, (input, given) => {
      const outcome = finish(scanInSteps(input, detect(input), given, hash));
      for (const { source, text: original } of input) {
        const here = outcome.entities.filter((entity) => entity.source === source);
        for (const { start, end, originalValue } of here) {
          expect(original.slice(start, end)).toBe(originalValue);
        }
        const clean = given.guardianAction === 'ALLOW_ALL' ? original : spliced(original, here);
        expect(outcome.cleanTexts.get(source)).toBe(clean);
      }
      for (const { originalValue } of outcome.entities) {
        expect(outcome.reasoning).not.toContain(originalValue);
      }
    }),
  );
});

test('the action depends on whether a match counts, and codes are in order', () => {
  const customRules = ['falcon', '/\\d{3}/'];
  fc.assert(
    fc.property(texts, policy, (input, given) => {
      const { action, violations, confidence, entities } = finish(
        scanInSteps(input, detect(input, { customRules }), given, hash),
      );
      const found = { ALLOW_ALL: 'ALLOW', REDACT_AND_CONTINUE: 'REDACT', BLOCK_ON_DETECT: 'BLOCK' } as const;
      expect(action).toBe(violations.length === 0 ? 'ALLOW' : found[given.guardianAction]);
      expect(violations).toEqual(VIOLATION_CODES.filter((code) => violations.includes(code)));
      if (violations.length === 0) expect([confidence, entities]).toEqual([1, []]);
      for (const entity of entities) expect(entity.confidence).toBeLessThanOrEqual(confidence);
    }),
  );
});
