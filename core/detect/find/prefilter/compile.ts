import { createAlphabet } from '../patterns/alphabet.ts';
import { longestOf, loosened } from '../patterns/loosen.ts';
import { buildProgram } from '../patterns/program.ts';
import { parsePattern, type Tree } from '../patterns/syntax.ts';
import { createReader, type Reader } from './reader.ts';

/** Our longest patterns are lists of names. */
const MAX_STEPS = 60_000;

/** One of our patterns as a tree. Throws `PatternFault` for one with back-references. */
export const treeOf = ({ source, flags }: RegExp): Tree => parsePattern(source, flags, 'AHEAD');

export interface Loosened {
  readonly read: Reader;
  /** Maximum length of a match; Infinity when there is none. */
  readonly longest: number;
}

/**
 * The reader of a pattern that matches everything that the pattern matches, and a little more: larger repetitions are
 * unlimited, and there is no look-around but `\b`, `^` and `$`. `anywhere`: matches may begin at any place, not only where
 * reading does.
 *
 * Parsed and built on first use, because most patterns are never used: a process loads in half the time, and its garbage
 * collections have 200,000 nodes of trees less to mark. A pattern that cannot have a reader, because of back-references,
 * throws then; that all of ours can have one is shown by the test that warms them up.
 */
export function loosenedReader(pattern: RegExp, anywhere: boolean): () => Loosened {
  const { flags, unicode } = pattern;
  let loosenedOnce: Loosened | undefined;
  return () => {
    if (loosenedOnce === undefined) {
      const tree = treeOf(pattern);
      const program = buildProgram(loosened(tree), flags, MAX_STEPS);
      const read = createReader(program, createAlphabet(program, flags), { anywhere, unicode });
      loosenedOnce = { read, longest: longestOf(tree) * (unicode ? 2 : 1) };
    }
    return loosenedOnce;
  };
}
