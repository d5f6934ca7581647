import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SeededRandom } from '../../../samples/random.ts';

/** Sentences by list name; `{name}` in a sentence is replaced by a choice from that list. */
type Grammar = Readonly<Record<string, readonly string[]>>;

const FOLDER = path.join('tuning', 'training', 'text-model', 'made-up');

/** Must run in the project's root. */
export const readGrammar = (name: string): Grammar =>
  JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as Grammar;

const MAX_DEPTH = 12;

/** One of the list's sentences, with every name in it replaced. Throws if a name is not in the grammar. */
export function madeUp(grammar: Grammar, name: string, random: SeededRandom, depth = 0): string {
  const list = grammar[name];
  if (list === undefined) throw new Error(`the grammar has no list ${name}`);
  if (depth > MAX_DEPTH) throw new Error(`the list ${name} leads back to itself`);
  return random
    .pick(list)
    .replaceAll(/\{(\w+)\}/g, (_whole, inner: string) => madeUp(grammar, inner, random, depth + 1));
}

const CHANCE_OF_CASE = 0.12;

/** The sentence as people type: sometimes in lower or upper case, or without its full stop. */
export function asTyped(sentence: string, random: SeededRandom): string {
  const choice = random.next();
  if (choice < CHANCE_OF_CASE) return sentence.toLowerCase();
  if (choice < CHANCE_OF_CASE * 1.5) return sentence.toUpperCase();
  return choice < CHANCE_OF_CASE * 3 ? sentence.replace(/[.!]$/, '') : sentence;
}
