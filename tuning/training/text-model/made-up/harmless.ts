import type { SeededRandom } from '../../../evaluation/random.ts';
import { asTyped, madeUp, readGrammar } from './grammar.ts';

/** Ordinary requests made of the words that attacks are made of. */
const REQUESTS = readGrammar('harmless');

export const harmlessRequest = (random: SeededRandom): string =>
  asTyped(madeUp(REQUESTS, 'say', random), random);
