import { asPattern } from '../../find/custom-rules.ts';
import { PatternFault } from '../../find/patterns/fault.ts';
import { compilePattern, type Pattern } from '../../find/patterns/pattern.ts';

/** Maximum steps of all patterns together, which bounds the work per character of a matched value. */
const MAX_ALLOWED_STEPS = 1_000;
const FLAGS = 'isu';

/** Compiles `/.../flags`, or a pattern without slashes; it must match the whole value. Throws `PatternFault`. */
function compiled(pattern: string): Pattern {
  const { source, flags } = asPattern(pattern) ?? { source: pattern.trim(), flags: '' };
  const isKnown = [...flags].every((flag, at) => FLAGS.includes(flag) && flags.indexOf(flag) === at);
  if (!isKnown) throw new PatternFault('its flags may be i, s and u, each once');
  // Compiled without the group first: "a)|(b" is invalid but would become valid inside it.
  compilePattern(source, flags);
  return compilePattern(`^(?:${source})$`, flags);
}

interface PatternsFault {
  /** Zero-based index in the list. */
  readonly index: number;
  readonly message: string;
}

/**
 * The faults of allowed patterns, reported to their author. Yields after each pattern, which may take a millisecond.
 */
export function* faultsOfPatterns(patterns: readonly string[]): Generator<void, PatternsFault[]> {
  const faults: PatternsFault[] = [];
  let steps = 0;
  for (const [index, pattern] of patterns.entries()) {
    try {
      // Stops compiling once the list exceeds the limit.
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

/** Yields after each pattern. A pattern that an earlier release accepted but that is invalid today allows nothing. */
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
