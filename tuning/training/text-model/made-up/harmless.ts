import type { SeededRandom } from '../../../samples/random.ts';
import { asTyped, madeUp, readGrammar } from './grammar.ts';

/** Ordinary requests that use the words of attacks. */
const REQUESTS = readGrammar('harmless');

export const harmlessRequest = (random: SeededRandom): string =>
  asTyped(madeUp(REQUESTS, 'say', random), random);
