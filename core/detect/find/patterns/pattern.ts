import { createAlphabet } from './alphabet.ts';
import { createAutomaton } from './automaton.ts';
import { PatternFault } from './fault.ts';
import { createHitFinder, type HitFinder } from './hits.ts';
import { type Needs, needsOf } from './needs.ts';
import { buildProgram } from './program.ts';
import { parsePattern } from './syntax.ts';

/** A compiled pattern. */
export interface Pattern {
  /** Number of steps of its program; the maximum cost of one character of a text grows with it. */
  readonly size: number;
  readonly find: HitFinder;
  readonly needs: Needs;
}

/** Reports errors that JavaScript itself finds, without the pattern that its message quotes. */
function refuseBroken(source: string, flags: string): void {
  try {
    new RegExp(source, flags.includes('u') ? flags : `${flags}u`);
  } catch (strict) {
    try {
      // Unnecessary escapes, and literal braces and brackets, are fine without the flag u.
      if (flags.includes('u')) throw strict;
      new RegExp(source, flags);
    } catch (error) {
      throw new PatternFault((error as Error).message.replace(/^.*: /s, ''));
    }
  }
}

/**
 * Compiles the text between the slashes. `flags`: of i, m, s and u, each once; u is always implied. The pattern has its
 * JavaScript meaning, without back-references, look-ahead and look-behind; only where something that may be empty is
 * repeated a counted number of times, a hit may be shorter. Throws `PatternFault`.
 */
export function compilePattern(source: string, flags: string): Pattern {
  refuseBroken(source, flags);
  const tree = parsePattern(source, flags);
  const program = buildProgram(tree, flags);
  const alphabet = createAlphabet(program, flags);
  const automaton = createAutomaton(program, alphabet);
  return {
    size: program.steps.length,
    find: createHitFinder(program, alphabet, automaton),
    needs: needsOf(tree),
  };
}
