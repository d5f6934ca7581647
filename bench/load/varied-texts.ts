import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import { type Random, randomFrom } from './random.ts';
import { SENTENCES } from './sentences.ts';

/**
 * Texts that differ from each other. One fixed text flatters: after some thousand repetitions the processor's caches
 * and branch predictors have learned it, and detection takes half the time that it needs for unseen texts.
 */
interface VariedTexts {
  /** A text of exactly `length` characters: ordinary sentences, some of them with detections. */
  text(length: number): string;
  /** The next example of `examples/triplets.ndjson`, with other digits. */
  example(): Readonly<Record<string, unknown>>;
}

interface Example extends Record<string, unknown> {
  readonly prompt: string;
  readonly response: string;
}

const EXAMPLES = path.join(packageRoot(), 'examples', 'triplets.ndjson');
/** Shorter words are mostly grammar: replacing them would break every sentence. */
const VARIED_WORD = /\b[a-z]{5,12}\b/g;
const SHARE_OF_OTHER_WORDS = 0.4;
/** Share of sentences from the examples, which have more detections than ordinary text. */
const FROM_EXAMPLES = 0.1;

const readExamples = (): readonly Example[] =>
  readFileSync(EXAMPLES, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Example);

const otherDigits = (text: string, random: Random): string =>
  text.replace(/\d/g, () => String(random.upTo(9)));

/** Returns the same texts for the same seed. */
export function variedTexts(seed: number): VariedTexts {
  const random = randomFrom(seed);
  const examples = readExamples();
  const lines = examples.flatMap(({ prompt, response }) => `${prompt}\n${response}`.split('\n'));
  const words = [...new Set(lines.join(' ').match(VARIED_WORD))];
  const sentence = (): string => {
    const isExample = random.chance(FROM_EXAMPLES);
    const varied = otherDigits(random.pick(isExample ? lines : SENTENCES), random);
    if (isExample) return varied;
    return varied.replace(VARIED_WORD, (word) =>
      random.chance(SHARE_OF_OTHER_WORDS) ? random.pick(words) : word,
    );
  };
  let next = 0;
  return {
    text: (length) => {
      const parts: string[] = [];
      for (let written = 0; written < length; ) {
        const part = `${sentence()} `;
        parts.push(part);
        written += part.length;
      }
      return parts.join('').slice(0, length);
    },
    example: () => {
      const example = examples[next++ % examples.length]!;
      return {
        ...example,
        prompt: otherDigits(example.prompt, random),
        response: otherDigits(example.response, random),
      };
    },
  };
}
