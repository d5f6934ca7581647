import { CIPHERS, ENCODINGS, LOOKS } from '../evaluation/obfuscations.ts';
import type { SeededRandom } from '../samples/random.ts';
import type { ComparedAudit, ComparedText } from './releases.ts';

const SOURCES = ['prompt', 'response', 'thinkingBlock', 'systemPrompt', 'userInput'] as const;

const mirrored = (text: string): string => Array.from(text).reverse().join('');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const percent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const CHANGES: readonly ((text: string) => string)[] = [
  ...[...LOOKS, ...ENCODINGS, ...CIPHERS].map(({ apply }) => apply),
  mirrored,
  hex,
  percent,
  (text) => text.toUpperCase(),
  (text) => ENCODINGS[0]!.apply(ENCODINGS[0]!.apply(text)),
];
const BETWEEN = [' ', '\n', '. ', ', ', '', '"', '\u2026 ', '\t', ' 1 ', ': '];
const RULES = ['falcon', '/\\b[A-Z]{2}\\d+/', 'the', '/e.?s/i', 'card', '/(?:ab|a)+c?/'];

const MAX_PIECES = 6;
/** Longer mixtures show nothing more and take longer. */
const LONGEST = 6_000;

function mixture(random: SeededRandom, texts: readonly string[]): string {
  const pieces = Array.from({ length: 1 + random.below(MAX_PIECES) }, () => {
    const text = random.pick(texts).slice(0, 400);
    const changed = random.below(3) === 0 ? random.pick(CHANGES)(text) : text;
    const repeated = random.below(12) === 0 ? `${changed} `.repeat(2 + random.below(8)) : changed;
    return repeated + random.pick(BETWEEN);
  });
  return pieces.join('').slice(0, LONGEST);
}

/** An audit of several texts, each a random combination of the given ones. */
export function randomAudit(random: SeededRandom, texts: readonly string[]): ComparedAudit {
  const sources = SOURCES.filter(() => random.below(2) === 0);
  const made = sources.map((source): ComparedText => ({ source, text: mixture(random, texts) }));
  // A response that repeats the prompt.
  const asked = made.find(({ source }) => source === 'prompt');
  const answer = made.find(({ source }) => source === 'response');
  const repeats = asked !== undefined && answer !== undefined && random.below(4) === 0;
  const all = repeats
    ? made.map((one) => (one === answer ? { ...one, text: `Sure. ${asked.text}${one.text}` } : one))
    : made;
  return { texts: all, customRules: random.below(4) === 0 ? RULES : [] };
}

/** The text as prompt and as response of an audit, and in each source of a scan. */
export const auditsOf = (text: string, answer: string): ComparedAudit[] => [
  {
    texts: [
      { source: 'prompt', text },
      { source: 'response', text: answer },
    ],
    customRules: [],
  },
  {
    texts: [
      { source: 'response', text },
      { source: 'thinkingBlock', text: answer },
    ],
    customRules: [],
  },
  { texts: [{ source: 'userInput', text }], customRules: [] },
];
