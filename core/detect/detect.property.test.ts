import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { type EntityType, RISK_LEVELS, SANDBOX_TYPES } from '#schemas/vocabulary.ts';
import { DETECT_STAGES, detect, detectAll, detectInSteps } from './detect.ts';
import { compileRules } from './find/custom-rules.ts';
import type { Match } from './find/match.ts';
import { finish } from './find/steps.ts';
import { assess } from './judge/assess.ts';
import type { SourceText } from './read/texts.ts';
import { explain, MAX_EXPLANATION } from './report/explain.ts';
import { entitiesInSteps, redact, redactionSpans } from './report/redact.ts';
import { text, value } from './testing/texts.ts';

const texts = fc.tuple(text, text, text).map(([prompt, response, thinkingBlock]): SourceText[] => [
  { source: 'prompt', text: prompt },
  { source: 'response', text: response },
  { source: 'thinkingBlock', text: thinkingBlock },
]);
const RULES = ['falcon', 'x@', '555', 'example', '1111 1111', '/[45]\\d{2}|\\bA\\w*/', '/e.?\\u0301|😀 ?/u'];
const hash = (entity: EntityType, original: string): string =>
  `${entity}${original}`.length.toString(16).padStart(8, '0');

const of = (matches: readonly Match[], source: Match['source']) =>
  matches.filter((match) => match.source === source);

describe('in any text', () => {
  test('full redaction replaces whole spans and keeps everything outside them', () => {
    fc.assert(
      fc.property(text, (input) => {
        const matches = detect([{ source: 'prompt', text: input }], { customRules: RULES });
        const spans = redactionSpans(matches);
        let rest = redact(input, matches, 'FULL', hash);
        let at = 0;
        for (const { entity, start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(at);
          const expected = `${input.slice(at, start)}[${entity}_REDACTED]`;
          expect(rest.slice(0, expected.length)).toBe(expected);
          rest = rest.slice(expected.length);
          at = end;
        }
        expect(rest).toBe(input.slice(at));
        for (const { entity, start, end } of matches) {
          if (entity !== null)
            expect(spans.some((span) => span.start <= start && end <= span.end)).toBe(true);
        }
      }),
    );
  });

  test('spans lie inside their text and never split a character', () => {
    fc.assert(
      fc.property(texts, (input) => {
        for (const { source, start, end } of detect(input, { customRules: RULES })) {
          const whole = input.find((one) => one.source === source)!.text;
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(whole.length);
          for (const index of [start, end]) {
            expect(
              /[\ud800-\udbff][\udc00-\udfff]/.test(whole.slice(Math.max(0, index - 1), index + 1)),
            ).toBe(false);
          }
        }
      }),
    );
  });

  test("detectors' values never overlap, and follow the order of the texts", () => {
    fc.assert(
      fc.property(texts, (input) => {
        const matches = detect(input);
        expect(matches).toEqual(input.flatMap(({ source }) => of(matches, source)));
        for (const { source } of input) {
          const values = of(matches, source).filter((match) => match.entity !== null);
          values.slice(1).forEach((match, i) => {
            expect(match.start).toBeGreaterThanOrEqual(values[i]!.end);
          });
        }
      }),
    );
  });

  test('a list of audits gives each audit the matches that it has by itself', () => {
    const rules = compileRules(RULES);
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 5 }), (inputs) => {
        expect(detectAll(inputs.map((input) => ({ texts: input, rules })))).toEqual(
          inputs.map((input) => detect(input, { customRules: RULES })),
        );
      }),
    );
  });

  test('the same texts give the same matches, whatever was searched before', () => {
    fc.assert(
      fc.property(texts, texts, (input, other) => {
        const first = detect(input, { customRules: RULES });
        detect(other, { customRules: RULES });
        expect(detect(input, { customRules: RULES })).toEqual(first);
      }),
    );
  });

  test('two lists searched in alternating steps give the same matches as searched separately', () => {
    fc.assert(
      fc.property(texts, texts, fc.array(fc.boolean(), { maxLength: 40 }), (input, other, turns) => {
        const [mine, others] = [detectInSteps([{ texts: input }]), detectInSteps([{ texts: other }])];
        for (const isMine of turns.slice(0, DETECT_STAGES.length)) (isMine ? mine : others).next();
        expect(finish(mine)).toEqual([{ matches: detect(input), suppressed: [] }]);
      }),
    );
  });

  test('neither matches, nor the assessment, nor the reasoning contain a value', () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...SANDBOX_TYPES),
        fc.constantFrom(...RISK_LEVELS),
        (input, sandboxType, alertThreshold) => {
          const matches = detect(input);
          const assessment = assess(matches, {
            sandboxType,
            regulations: ['GDPR', 'HIPAA'],
            alertThreshold,
          });
          const reasoning = explain(input, matches, assessment);
          expect(reasoning.length).toBeLessThanOrEqual(MAX_EXPLANATION);
          const outputs = [JSON.stringify(matches), JSON.stringify(assessment), reasoning];
          for (const { type, originalValue } of finish(entitiesInSteps(input, matches, 'FULL', hash))) {
            // A name may be an ordinary word, or part of an email address's domain, which stays readable.
            if (type === 'PERSON') continue;
            for (const output of outputs) expect(output).not.toContain(originalValue);
          }
        },
      ),
    );
  });

  test('a value that is the whole text is found, so the properties above are not vacuous', () => {
    fc.assert(
      fc.property(value, fc.constantFrom('', '😀 ', 'e\u0301: '), (alone, before) => {
        const whole = before + alone;
        const found = detect([{ source: 'prompt', text: whole }]);
        expect(found.some(({ start, end }) => end - start >= alone.length / 2 && end <= whole.length)).toBe(
          true,
        );
      }),
    );
  });
});
