import { isAscii, literalsOf } from '../patterns/literals.ts';
import { type Loosened, loosenedReader, treeOf } from './compile.ts';
import { type Marker, type Marks, markerOf } from './marks.ts';
import { NONE, OPEN } from './reader.ts';

/** Most offsets are decided within this many code units. */
const NEAR = 48;

/** The match that starts at this offset. With `marksOf`, the text is not read repeatedly for literals that it lacks. */
type MatchAt = (text: string, offset: number, marksOf?: (marker: Marker) => Marks) => RegExpExecArray | null;

/** Maximum number of literal groups to search for: the start of a pattern has matched already. */
const MAX_GROUPS = 4;

interface Prefilter extends Loosened {
  /** Markers of literals that a match must contain. */
  readonly needed: readonly Marker[];
}

/**
 * In texts up to this length, V8's own search looks for literals in the whole text; longer texts are read in blocks.
 */
const SHORT = 4_096;
/** Searching for more literals one by one takes longer than reading the text once for all of them. */
const MAX_SEARCHES = 16;
const NOWHERE: Marks = { first: () => NONE, last: () => NONE };

/** Marks literals, given in lower case. */
function markerOfAny(literals: readonly string[]): Marker {
  const marker = markerOf(new RegExp(literals.map(escaped).join('|'), 'i'));
  if (literals.length > MAX_SEARCHES || !literals.every(isAscii)) return marker;
  return (text, folded) => {
    if (text.length > SHORT) return marker(text, folded);
    return literals.some((literal) => folded().includes(literal)) ? marker(text, folded) : NOWHERE;
  };
}
const escaped = (literal: string): string => literal.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

/**
 * Prefilters a pattern with the flag y: V8's engine runs only where a loosened automaton finds a match. On near
 * matches, V8 takes microseconds per offset, and ten times as long once a process holds more regular expression code
 * than V8 optimises (16 MB). The results are those of the pattern. Compiled on first use, which throws if the length of
 * the pattern's matches is unbounded.
 */
export function prefilteredAt(pattern: RegExp): MatchAt {
  const loosened = loosenedReader(pattern, false);
  const compile = (): Prefilter => {
    const { read, longest } = loosened();
    if (longest === Infinity) throw new Error(`unbounded repetition in ${pattern.source}`);
    return { read, longest, needed: literalsOf(treeOf(pattern)).slice(-MAX_GROUPS).map(markerOfAny) };
  };
  let prefilter: Prefilter | undefined;
  return (text, offset, marksOf) => {
    prefilter ??= compile();
    const { read, longest, needed } = prefilter;
    const until = Math.min(offset + longest + 1, text.length);
    let end = read(text, offset, Math.min(offset + NEAR, until));
    if (end === OPEN && until > offset + NEAR) {
      if (marksOf !== undefined && needed.some((marker) => marksOf(marker).first(offset, until) === NONE))
        return null;
      end = read(text, offset, until);
    }
    if (end < 0) return null;
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
}

/** Whether a pattern without the flags g and y matches anywhere in the text; prefiltered as above. */
export function prefiltered(pattern: RegExp): (text: string) => boolean {
  const loosened = loosenedReader(pattern, true);
  return (text) => loosened().read(text, 0, text.length) >= 0 && pattern.test(text);
}
