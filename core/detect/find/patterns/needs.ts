import type { MayContainHit } from './hits.ts';
import { type Groups, isAscii, literalsOf, mostSelective } from './literals.ts';
import { longestOf } from './loosen.ts';
import type { Tree } from './syntax.ts';

/** Searching for more literals would take as long as running the pattern. */
const MAX_LITERALS = 8;
/**
 * Longer literals are truncated: their start is required as well, and short literals are found in linear time in any
 * text.
 */
const LONGEST = 8;

/** What every hit of a pattern contains. */
export interface Needs {
  /** Lower-case ASCII literals; every hit contains one of each group. */
  readonly groups: Groups;
  /** Length of the longest hit in code units. */
  readonly longest: number;
}

export const NO_NEEDS: Needs = { groups: [], longest: Infinity };

/** Only ASCII literals, because other letters have several lower cases. */
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
 * Where hits may lie: within the length of the longest hit around a required literal. Undefined if they may be
 * anywhere. `folded`: the text as in `hasNeeds`, with the same offsets.
 */
export function nearLiterals(folded: string, { groups, longest }: Needs): MayContainHit | undefined {
  const literals = groups[0];
  if (literals === undefined || longest === Infinity) return undefined;
  /** The last relevant offset of each literal, searched for only once, because spans arrive from end to start. */
  const last = literals.map(() => Infinity);
  return (from, until) => {
    for (const [at, literal] of literals.entries()) {
      if (last[at]! > until + longest) last[at] = folded.lastIndexOf(literal, until + longest);
      if (last[at]! >= from - longest && last[at] !== -1) return true;
    }
    return false;
  };
}

/** `folded`: the result of `foldedForLiterals`. */
export const hasNeeds = (folded: string, { groups }: Needs): boolean =>
  groups.every((group) => group.some((literal) => folded.includes(literal)));
