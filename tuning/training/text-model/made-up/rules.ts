import type { SeededRandom } from '../../../samples/random.ts';
import { madeUp, readGrammar } from './grammar.ts';

/** Lists of prohibitions: terms of service and rules of conduct, in the words of dangerous requests. */
const RULES = readGrammar('rules');

export const listOfBans = (random: SeededRandom): string => madeUp(RULES, 'document', random);
