import type { SeededRandom } from '../../../samples/random.ts';
import { asTyped, madeUp, readGrammar } from './grammar.ts';

/** Requests for help with serious harm, and harmless requests in the same words. */
const WORDS = readGrammar('dangerous');

export const dangerousRequest = (random: SeededRandom): string =>
  tidy(madeUp(WORDS, 'unsafe', random), random);
export const safeRequest = (random: SeededRandom): string => tidy(madeUp(WORDS, 'safe', random), random);

const tidy = (sentence: string, random: SeededRandom): string =>
  asTyped(sentence.replaceAll(/ +\?/g, '?').replaceAll(/ {2,}/g, ' '), random);
