import { createAlphabet } from '../patterns/alphabet.ts';
import { buildProgram } from '../patterns/program.ts';
import { parsePattern, type Tree } from '../patterns/syntax.ts';
import { longestOf, loosened } from './loosen.ts';
import { createReader, type Reader } from './reader.ts';

/** Our longest patterns are lists of names. */
const MOST_STEPS = 60_000;

/** A pattern of ours as a tree. Throws `PatternFault` for one that refers to its groups. */
export const treeOf = ({ source, flags }: RegExp): Tree => parsePattern(source, flags, 'AHEAD');

export interface Loosened {
  readonly read: Reader;
  /** The most units that a match has; Infinity when there is no such number. */
  readonly longest: number;
}

/**
 * The reader of a pattern that matches all that the pattern matches, and a little more: larger repetitions have no
 * limit, and nothing looks around but `\b`, `^` and `$`. It is made when it is first asked for; a pattern that cannot
 * have one, because it refers to its groups, is refused at once. `anywhere`: matches may begin at any place, not only
 * where reading does.
 */
export function loosenedReader(pattern: RegExp, anywhere: boolean, tree = treeOf(pattern)): () => Loosened {
  const { flags, unicode } = pattern;
  let loosenedOnce: Loosened | undefined;
  return () => {
    if (loosenedOnce === undefined) {
      const program = buildProgram(loosened(tree), flags, MOST_STEPS);
      const read = createReader(program, createAlphabet(program, flags), { anywhere, unicode });
      loosenedOnce = { read, longest: longestOf(tree) * (unicode ? 2 : 1) };
    }
    return loosenedOnce;
  };
}
