import { createAlphabet } from '../patterns/alphabet.ts';
import { buildProgram } from '../patterns/program.ts';
import { parsePattern } from '../patterns/syntax.ts';
import { longestOf, loosened } from './loosen.ts';
import { createReader, type Reader } from './reader.ts';

/** Our longest patterns are lists of names. */
const MOST_STEPS = 60_000;

export interface Loosened {
  readonly read: Reader;
  /** The most units that a match has. */
  readonly longest: number;
}

/**
 * The reader of a pattern that matches all that the pattern matches, and a little more: larger repetitions have no
 * limit, and nothing looks around but `\\b`. `anywhere`: matches may begin at any place, not only where reading does.
 */
export function compileLoosened(pattern: RegExp, anywhere: boolean): Loosened {
  const { source, flags, unicode } = pattern;
  const tree = parsePattern(source, flags, 'AHEAD');
  const program = buildProgram(loosened(tree), flags, MOST_STEPS);
  const read = createReader(program, createAlphabet(program, flags), { anywhere, unicode });
  return { read, longest: longestOf(tree) * (unicode ? 2 : 1) };
}
