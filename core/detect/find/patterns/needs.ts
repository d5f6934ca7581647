import type { MayHold } from './hits.ts';
import { type Groups, isAscii, literalsOf, mostSelective } from './literals.ts';
import { longestOf } from './loosen.ts';
import type { Tree } from './syntax.ts';

/** Looking for more literals than these would cost as much as the pattern. */
const MAX_LITERALS = 8;
/** A part of a literal is needed as much as all of it; a short one is found in linear time whatever the text holds. */
const LONGEST = 8;

/** What every hit of a pattern holds. */
export interface Needs {
  /** ASCII literals in lower case: one of each group. */
  readonly groups: Groups;
  /** Code units of the longest hit. */
  readonly longest: number;
}

export const NO_NEEDS: Needs = { groups: [], longest: Infinity };

/** ASCII literals alone, because other letters have several lower cases. */
export function needsOf(tree: Tree): Needs {
  const groups: string[][] = [];
  let left = MAX_LITERALS;
  for (const group of mostSelective(literalsOf(tree).filter((one) => one.every(isAscii)))) {
    left -= group.length;
    if (left < 0) break;
    groups.push(group.map((literal) => literal.slice(0, LONGEST)));
  }
  return { groups, longest: 2 * longestOf(tree) };
}

/**
 * Where hits may be: as near to a literal that they need as a hit is long. Undefined when they may be anywhere.
 * `folded`: as below, with the places of the text.
 */
export function nearLiterals(folded: string, { groups, longest }: Needs): MayHold | undefined {
  const literals = groups[0];
  if (literals === undefined || longest === Infinity) return undefined;
  /** Of each literal the last place that is not behind the span: found once, because spans come from the end. */
  const last = literals.map(() => Infinity);
  return (from, until) => {
    for (const [at, literal] of literals.entries()) {
      if (last[at]! > until + longest) last[at] = folded.lastIndexOf(literal, until + longest);
      if (last[at]! >= from - longest && last[at] !== -1) return true;
    }
    return false;
  };
}

/** `folded`: by `foldedForLiterals`. */
export const hasNeeds = (folded: string, { groups }: Needs): boolean =>
  groups.every((group) => group.some((literal) => folded.includes(literal)));
