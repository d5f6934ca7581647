import { createAlphabet } from '../patterns/alphabet.ts';
import { buildProgram } from '../patterns/program.ts';
import { parsePattern, type Tree } from '../patterns/syntax.ts';
import { longestOf, loosened } from './loosen.ts';
import { createReader, type Reader } from './reader.ts';

/** Our longest patterns are lists of names. */
const MOST_STEPS = 60_000;

/** One of our patterns as a tree. Throws `PatternFault` for one with back-references. */
export const treeOf = ({ source, flags }: RegExp): Tree => parsePattern(source, flags, 'AHEAD');

export interface Loosened {
  readonly read: Reader;
  /** Maximum length of a match; Infinity when there is none. */
  readonly longest: number;
}

/**
 * The reader of a pattern that matches everything that the pattern matches, and a little more: larger repetitions are
 * unlimited, and there is no look-around but `\b`, `^` and `$`. Built on first use; a pattern that cannot have one,
 * because of back-references, is refused at once. `anywhere`: matches may begin at any place, not only where reading
 * does.
 *
 * Its tree is parsed again then: most patterns are never used, and 200,000 nodes of their trees would be marked by every
 * full garbage collection.
 */
export function loosenedReader(pattern: RegExp, anywhere: boolean): () => Loosened {
  const { flags, unicode } = pattern;
  treeOf(pattern);
  let loosenedOnce: Loosened | undefined;
  return () => {
    if (loosenedOnce === undefined) {
      const tree = treeOf(pattern);
      const program = buildProgram(loosened(tree), flags, MOST_STEPS);
      const read = createReader(program, createAlphabet(program, flags), { anywhere, unicode });
      loosenedOnce = { read, longest: longestOf(tree) * (unicode ? 2 : 1) };
    }
    return loosenedOnce;
  };
}
