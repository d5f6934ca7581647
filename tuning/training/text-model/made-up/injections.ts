import type { SeededRandom } from '../../../samples/random.ts';
import { asTyped, madeUp, readGrammar } from './grammar.ts';

/** Orders that try to take over a model: directly, as a role, and from a document that it reads. */
const ATTACKS = readGrammar('injections');

const KINDS = ['override', 'override', 'role', 'extraction', 'foreign'] as const;
/** Share of the attacks that address the reader of a document, and share of the others that are inside one. */
const INDIRECT = 0.4;
const INSIDE = 0.35;

interface MadeUpInjection {
  readonly text: string;
  readonly kind: (typeof KINDS)[number] | 'indirect';
}

/** An attack, alone or inside one of the harmless `documents`. */
export function madeUpInjection(documents: readonly string[], random: SeededRandom): MadeUpInjection {
  const kind = random.next() < INDIRECT ? 'indirect' : random.pick(KINDS);
  const attack = asTyped(madeUp(ATTACKS, kind, random), random);
  const isAlone = kind !== 'indirect' && random.next() > INSIDE;
  return { text: isAlone ? attack : insideOf(random.pick(documents), attack, random), kind };
}

function insideOf(document: string, attack: string, random: SeededRandom): string {
  const cut = document.indexOf(' ', random.below(document.length));
  if (cut === -1) return `${document}\n${attack}`;
  const gap = random.pick([' ', '\n', '\n\n', ' -- ', '\n<!-- ', '\n"']);
  return `${document.slice(0, cut)}${gap}${attack}${gap}${document.slice(cut + 1)}`;
}
