import { createAlphabet } from './alphabet.ts';
import { createAutomaton } from './automaton.ts';
import { PatternFault } from './fault.ts';
import { createHitFinder, type HitFinder } from './hits.ts';
import { type Needs, needsOf } from './needs.ts';
import { buildProgram } from './program.ts';
import { parsePattern } from './syntax.ts';

export interface Pattern {
  /** Number of steps in its program, which bounds the work per character of a text. */
  readonly size: number;
  readonly find: HitFinder;
  readonly needs: Needs;
}

/** Reports JavaScript's own errors, without the pattern that their messages quote. */
function refuseBroken(source: string, flags: string): void {
  try {
    new RegExp(source, flags.includes('u') ? flags : `${flags}u`);
  } catch (strict) {
    try {
      // Without the flag u, unnecessary escapes and literal braces and brackets are allowed.
      if (flags.includes('u')) throw strict;
      new RegExp(source, flags);
    } catch (error) {
      throw new PatternFault((error as Error).message.replace(/^.*: /s, ''));
    }
  }
}

/**
 * Compiles the source of a pattern. `flags` may contain i, m, s and u once each; u is always implied. The pattern has
 * its JavaScript meaning, except that back-references, look-ahead and look-behind are rejected, and that a hit may be
 * shorter if something that can be empty is repeated a counted number of times. Throws `PatternFault`.
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
