import { asPattern } from '../../find/custom-rules.ts';
import { PatternFault } from '../../find/patterns/fault.ts';
import { compilePattern, type Pattern } from '../../find/patterns/pattern.ts';

/** Steps of all patterns together: what a character of a found value costs at most grows with them. */
const MAX_ALLOWED_STEPS = 1_000;
const FLAGS = 'isu';

/** A pattern that has to match a whole value: `/.../flags`, or the text between the slashes alone. Throws `PatternFault`. */
function compiled(pattern: string): Pattern {
  const { source, flags } = asPattern(pattern) ?? { source: pattern.trim(), flags: '' };
  const isKnown = [...flags].every((flag, at) => FLAGS.includes(flag) && flags.indexOf(flag) === at);
  if (!isKnown) throw new PatternFault('its flags may be i, s and u, each once');
  // Alone first: "a)|(b" is no pattern, and would be one in the group.
  compilePattern(source, flags);
  return compilePattern(`^(?:${source})$`, flags);
}

interface PatternsFault {
  /** Index of the pattern in the list, from 0. */
  readonly index: number;
  readonly message: string;
}

/** What is wrong with allowed patterns, for their author. Yields after each: one may take a millisecond. */
export function* faultsOfPatterns(patterns: readonly string[]): Generator<void, PatternsFault[]> {
  const faults: PatternsFault[] = [];
  let steps = 0;
  for (const [index, pattern] of patterns.entries()) {
    try {
      // A list that exceeds the limit anyway is not compiled any further.
      if (steps <= MAX_ALLOWED_STEPS) steps += compiled(pattern).size;
      if (steps > MAX_ALLOWED_STEPS)
        faults.push({
          index,
          message: 'the allowed patterns are too large in total; use fewer or shorter patterns',
        });
    } catch (error) {
      if (!(error instanceof PatternFault)) throw error;
      faults.push({ index, message: `invalid pattern: ${error.message}` });
    }
    yield;
  }
  return faults;
}

interface PatternTest {
  readonly steps: number;
  readonly matches: (value: string) => boolean;
}

/** Yields after each pattern. One that would be refused today, which an earlier release took, allows nothing. */
export function* patternTest(patterns: readonly string[]): Generator<void, PatternTest> {
  const all: Pattern[] = [];
  for (const pattern of patterns) {
    try {
      all.push(compiled(pattern));
    } catch (error) {
      if (!(error instanceof PatternFault)) throw error;
    }
    yield;
  }
  return {
    steps: all.reduce((sum, { size }) => sum + size, 0),
    matches: (value) =>
      all.some(({ find }) => {
        const [hit] = find(value, 2);
        return hit !== undefined && hit.start === 0 && hit.end === value.length;
      }),
  };
}
