import { isAscii, literalsOf } from '../patterns/literals.ts';
import { type Loosened, loosenedReader, treeOf } from './compile.ts';
import { type Marker, type Marks, markerOf } from './marks.ts';
import { NONE, OPEN } from './reader.ts';

/** Most places are decided within this many code units. */
const NEAR = 48;

/**
 * The match that begins at this place. With `marksOf`, the text's marks, a text is not read again and again for what it
 * does not contain.
 */
type MatchAt = (text: string, offset: number, marksOf?: (marker: Marker) => Marks) => RegExpExecArray | null;

/** Maximum number of groups of literals that are searched for: a pattern's beginning is there anyway. */
const MAX_GROUPS = 4;

interface Prefilter extends Loosened {
  /** Marks of what a match must contain. */
  readonly needed: readonly Marker[];
}

/** Texts up to this length are asked for literals as a whole, by V8's own search; of longer ones blocks are read. */
const SHORT = 4_096;
/** More than these take longer to look for, one by one, than to read the text for all of them. */
const MAX_LOOKS = 16;
const NOWHERE: Marks = { first: () => NONE, last: () => NONE };

/** Marks of literals in lower case. */
function markerOfAny(literals: readonly string[]): Marker {
  const marker = markerOf(new RegExp(literals.map(escaped).join('|'), 'i'));
  if (literals.length > MAX_LOOKS || !literals.every(isAscii)) return marker;
  return (text, folded) => {
    if (text.length > SHORT) return marker(text, folded);
    return literals.some((literal) => folded().includes(literal)) ? marker(text, folded) : NOWHERE;
  };
}
const escaped = (literal: string): string => literal.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

/**
 * A pattern with the flag y after a prefilter: V8's engine runs only where a loosened automaton finds a match. Where
 * much nearly matches, V8 takes microseconds per place, and ten times as long once a process holds more regular
 * expression code than V8 optimises (16 MB). The results are the pattern's own. Compiled on first use, which throws when
 * the pattern's matches have no maximum length.
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

/** Whether a pattern without the flags g and y matches anywhere in the text; with a prefilter as above. */
export function prefiltered(pattern: RegExp): (text: string) => boolean {
  const loosened = loosenedReader(pattern, true);
  return (text) => loosened().read(text, 0, text.length) >= 0 && pattern.test(text);
}
