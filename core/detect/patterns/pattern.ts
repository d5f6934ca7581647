import { createAlphabet } from './alphabet.ts';
import { createAutomaton } from './automaton.ts';
import { PatternFault } from './fault.ts';
import { createHitFinder, type HitFinder } from './hits.ts';
import { buildProgram } from './program.ts';
import { parsePattern } from './syntax.ts';

/** A pattern that is ready to be looked for. */
export interface Pattern {
  /** How many steps its program has; the most that one character of a text can cost grows with it. */
  readonly size: number;
  readonly find: HitFinder;
}

/** Faults that JavaScript itself finds, without the pattern that its message quotes. */
function refuseBroken(source: string, flags: string): void {
  try {
    new RegExp(source, flags.includes('u') ? flags : `${flags}u`);
  } catch (strict) {
    try {
      // Escapes that say nothing, and braces and brackets that stand for themselves, are fine without the flag u.
      if (flags.includes('u')) throw strict;
      new RegExp(source, flags);
    } catch (error) {
      throw new PatternFault((error as Error).message.replace(/^.*: /s, ''));
    }
  }
}

/**
 * Compiles what stands between the slashes. `flags`: of i, m, s and u, each once; u is always meant. The pattern means
 * what it means in JavaScript, without references and without looking ahead or behind; only where something that may be
 * empty is repeated a counted number of times, a hit may be shorter than there. Throws `PatternFault`.
 */
export function compilePattern(source: string, flags: string): Pattern {
  refuseBroken(source, flags);
  const program = buildProgram(parsePattern(source, flags), flags);
  const alphabet = createAlphabet(program, flags);
  const automaton = createAutomaton(program, alphabet);
  return { size: program.steps.length, find: createHitFinder(program, alphabet, automaton) };
}
