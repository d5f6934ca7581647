import { type Groups, isAscii, literalsOf, mostSelective } from '../prefilter/literals.ts';
import type { Tree } from './syntax.ts';

/** Looking for more literals than these would cost as much as the pattern. */
const MOST_LITERALS = 8;
/** A part of a literal is needed as much as all of it; a short one is found in linear time whatever the text holds. */
const LONGEST = 8;

/**
 * Literals without which a text has no match: one of each group, in lower case. ASCII alone, because other letters have
 * several lower cases.
 */
export function needsOf(tree: Tree): Groups {
  const needs: string[][] = [];
  let left = MOST_LITERALS;
  for (const group of mostSelective(literalsOf(tree).filter((one) => one.every(isAscii)))) {
    left -= group.length;
    if (left < 0) break;
    needs.push(group.map((literal) => literal.slice(0, LONGEST)));
  }
  return needs;
}

/** `folded`: by `foldedForLiterals`. */
export const hasNeeds = (folded: string, needs: Groups): boolean =>
  needs.every((group) => group.some((literal) => folded.includes(literal)));
