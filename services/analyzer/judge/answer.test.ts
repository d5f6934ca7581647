import { randomBytes } from 'node:crypto';
import type { SourceText } from '#core/detect/read/texts.ts';
import { describe, expect, test } from '#jest';
import { readAnswer } from './answer.ts';
import type { Question } from './port.ts';
import { buildPrompt } from './prompt.ts';

const QUESTIONS: Question[] = [
  { code: 'CUSTOM_RULE', ruleIndex: 4, rule: 'Do not promise refunds.' },
  { code: 'SYCOPHANCY', rule: 'It flatters.' },
];
const TEXTS: SourceText[] = [
  { source: 'prompt', text: 'a question' },
  { source: 'response', text: 'an answer' },
];
const PROMPT = buildPrompt(
  { questions: QUESTIONS, redactedTexts: TEXTS },
  { maxCharacters: 1_000, randomBytes },
);
const [refunds, flatters] = [...PROMPT.questionOf.keys()] as [string, string];
const CHECK = { rule: PROMPT.check.applies, source: 'check', confidence: 1 };

const completion = (message: object, finish = 'stop'): string =>
  JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish }] });
const read = (content: string) => readAnswer(completion({ role: 'assistant', content }), PROMPT, TEXTS);
const hits = (...found: object[]): string => JSON.stringify({ hits: [CHECK, ...found] });
const refundHit = { code: 'CUSTOM_RULE', ruleIndex: 4, source: 'response', confidence: 0.7 };
const said = { rule: refunds, source: 'response', confidence: 0.7 };

describe('an answer', () => {
  test('names rules and texts that were sent; anything else in it is ignored', () => {
    const others = [
      { rule: 'R000000', source: 'response', confidence: 1 },
      { rule: 'custom rule 4', source: 'response', confidence: 1 },
      { rule: refunds, source: 'thinkingBlock', confidence: 1 },
      { rule: refunds, source: 'check', confidence: 1 },
    ];
    const flattery = { rule: flatters, source: 'prompt', confidence: 0.4, because: 'words of the model' };
    expect(read(hits(said, ...others, flattery))).toEqual({
      kind: 'JUDGED',
      hits: [refundHit, { code: 'SYCOPHANCY', source: 'prompt', confidence: 0.4 }],
      shortened: false,
    });
    expect(read(hits())).toEqual({ kind: 'JUDGED', hits: [], shortened: false });
  });

  test.each([
    ['a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['a fence without a language', (json: string) => `\n\`\`\`\n${json}\n\`\`\`\n`],
    ['thoughts', (json: string) => `<think>Rule one {"hits":[]} hm</think>\n\n${json}`],
    ['both', (json: string) => `<think></think>\`\`\`json\n${json}\`\`\``],
  ])('is read with %s around it too', (_, wrap) => {
    expect(read(wrap(hits(said)))).toMatchObject({ kind: 'JUDGED', hits: [refundHit] });
  });

  test.each([
    '',
    'LOW',
    'I am sorry, but I cannot help with that.',
    `Here you are: ${hits(said)}`,
    '[]',
    'null',
    '{}',
    '{"hits":{}}',
    hits({ rule: refunds, source: 'response' }),
    hits({ rule: refunds, source: 'response', confidence: 'high' }),
    hits({ rule: 4, source: 'response', confidence: 1 }),
    hits(said).slice(0, -1),
    JSON.stringify({ hits: Array.from({ length: 1_001 }, () => CHECK) }),
  ])('is rejected: %.40s', (content) => {
    expect(read(content)).toEqual({ kind: 'NOT_JUDGED', reason: 'UNREADABLE' });
  });

  test.each([
    '',
    'x',
    '{}',
    '{"choices":[]}',
    '{"choices":[{}]}',
    completion({ content: null }),
    completion({ content: ['x'] }),
  ])('is rejected in a body that is not a completion: %s', (body) =>
    expect(readAnswer(body, PROMPT, TEXTS)).toEqual({ kind: 'NOT_JUDGED', reason: 'UNREADABLE' }),
  );

  test('is recognised as a refusal', () => {
    const refused = { kind: 'NOT_JUDGED', reason: 'REFUSED' };
    expect(readAnswer(completion({ content: null, refusal: 'No.' }), PROMPT, TEXTS)).toEqual(refused);
    expect(readAnswer(completion({ content: '' }, 'content_filter'), PROMPT, TEXTS)).toEqual(refused);
  });

  test('is dropped as a whole when it fails the check', () => {
    const manipulated = { kind: 'NOT_JUDGED', reason: 'MANIPULATED' };
    expect(read('{"hits":[]}')).toEqual(manipulated);
    expect(read(JSON.stringify({ hits: [said] }))).toEqual(manipulated);
    expect(read(hits(said, { rule: PROMPT.check.doesNot, source: 'check', confidence: 0 }))).toEqual(
      manipulated,
    );
  });
});
