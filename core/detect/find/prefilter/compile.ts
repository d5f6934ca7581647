import { createAlphabet } from '../patterns/alphabet.ts';
import { longestOf, loosened } from '../patterns/loosen.ts';
import { buildProgram } from '../patterns/program.ts';
import { parsePattern, type Tree } from '../patterns/syntax.ts';
import { createReader, type Reader } from './reader.ts';

/** The longest built-in patterns are lists of names. */
const MAX_STEPS = 60_000;

/** Parses a built-in pattern. Throws `PatternFault` if it has back-references. */
export const treeOf = ({ source, flags }: RegExp): Tree => parsePattern(source, flags, 'AHEAD');

export interface Loosened {
  readonly read: Reader;
  /** Maximum length of a match; Infinity if unbounded. */
  readonly longest: number;
}

/**
 * A reader that accepts everything that the pattern matches, and a little more: larger repetitions are unlimited, and
 * the only look-around is `\b`, `^` and `$`. `anywhere`: matches may start at any offset, not only where reading
 * starts.
 *
 * Parsed and built on first use, because most patterns are never used. This halves a process's load time and saves its
 * garbage collector 200,000 tree nodes. Throws on first use for patterns with back-references; a warm-up test checks
 * that every built-in pattern has a reader.
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
