import { variedTexts } from './varied-texts.ts';

/** Slug of each customer's sandbox. */
export const SLUG = 'bench';
const SEED = 61;
const HALF_OF_1_2_KB = 540;

const body = (triplet: Readonly<Record<string, unknown>>): Buffer =>
  Buffer.from(JSON.stringify({ provider: 'openai', model: 'gpt-4o', ...triplet, sandboxSlug: SLUG }));

/** Always the same triplets: 1.2 KB, the examples, and nearly empty ones. */
export const BODIES: Readonly<Record<string, () => () => Buffer>> = {
  '1.2 KB': () => {
    const texts = variedTexts(SEED);
    return () => body({ prompt: texts.text(HALF_OF_1_2_KB), response: texts.text(HALF_OF_1_2_KB) });
  },
  examples: () => {
    const texts = variedTexts(SEED);
    return () => body(texts.example());
  },
  'one character': () => () => body({ prompt: 'a', response: 'b' }),
};
