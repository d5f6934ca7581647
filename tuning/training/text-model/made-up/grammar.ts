import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SeededRandom } from '../../../samples/random.ts';

/** Name of a list -> sentences in which `{name}` is replaced by a choice from another list. */
type Grammar = Readonly<Record<string, readonly string[]>>;

const FOLDER = path.join('tuning', 'training', 'text-model', 'made-up');

/** Has to run in the project's root. */
export const readGrammar = (name: string): Grammar =>
  JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as Grammar;

const MAX_DEPTH = 12;

/** One of the sentences of the list, with every name in it replaced. Throws when a name is not in the grammar. */
export function madeUp(grammar: Grammar, name: string, random: SeededRandom, depth = 0): string {
  const list = grammar[name];
  if (list === undefined) throw new Error(`the grammar has no list ${name}`);
  if (depth > MAX_DEPTH) throw new Error(`the list ${name} leads back to itself`);
  return random
    .pick(list)
    .replaceAll(/\{(\w+)\}/g, (_whole, inner: string) => madeUp(grammar, inner, random, depth + 1));
}

const CHANCE_OF_CASE = 0.12;

/** The sentence as people type: at times in lower case, in capitals, without its full stop. */
export function asTyped(sentence: string, random: SeededRandom): string {
  const choice = random.next();
  if (choice < CHANCE_OF_CASE) return sentence.toLowerCase();
  if (choice < CHANCE_OF_CASE * 1.5) return sentence.toUpperCase();
  return choice < CHANCE_OF_CASE * 3 ? sentence.replace(/[.!]$/, '') : sentence;
}
