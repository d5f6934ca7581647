import type { SeededRandom } from '../../../samples/random.ts';
import { asTyped, madeUp, readGrammar } from './grammar.ts';

/** Sentences against a group of people, and harmless sentences in the same words. */
const WORDS = readGrammar('hate');

const sentence = (name: string, random: SeededRandom): string => {
  const made = madeUp(WORDS, name, random);
  return asTyped(made[0]!.toUpperCase() + made.slice(1), random);
};

export const hatefulSentence = (random: SeededRandom): string => sentence('hateful', random);
export const harmlessSentence = (random: SeededRandom): string => sentence('harmless', random);
export const madeUpGroup = (random: SeededRandom): string => madeUp(WORDS, 'group', random);
