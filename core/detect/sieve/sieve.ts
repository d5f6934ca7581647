import { type Loosened, loosenedReader, treeOf } from './compile.ts';
import { literalsOf } from './literals.ts';
import { longestOf } from './loosen.ts';
import { type Marker, type Marks, markerOf } from './marks.ts';
import { NONE, OPEN } from './reader.ts';

/** Most places are decided within so many units. */
const NEAR = 48;

/**
 * The match that begins at this place. With `marksOf`, what is known of the text's marks, a text is not read again and
 * again for what does not come.
 */
export type MatchAt = (
  text: string,
  place: number,
  marksOf?: (marker: Marker) => Marks,
) => RegExpExecArray | null;

/** Most groups of literals that are looked for: what a pattern begins with is there anyway. */
const MOST_GROUPS = 4;

interface Sieve extends Loosened {
  /** Mark what a match must hold. */
  readonly needed: readonly Marker[];
}

const markerOfAny = (literals: readonly string[]): Marker =>
  markerOf(new RegExp(literals.map(escaped).join('|'), 'i'));
const escaped = (literal: string): string => literal.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

/**
 * A pattern with the flag y behind a sieve: V8's engine looks only where a loosened automaton sees a match. Where much
 * nearly matches, V8 takes microseconds a place, and ten times as long once a process holds more code of patterns than
 * V8 cares to improve (16 MB). The results are those of the pattern. Compiled when it is first used; throws at once
 * when the pattern's matches have no longest.
 */
export function sievedAt(pattern: RegExp): MatchAt {
  const tree = treeOf(pattern);
  if (longestOf(tree) === Infinity) throw new Error(`a repetition has no limit in ${pattern.source}`);
  const loosened = loosenedReader(pattern, false, tree);
  const compile = (): Sieve => ({
    ...loosened(),
    needed: literalsOf(tree).slice(-MOST_GROUPS).map(markerOfAny),
  });
  let sieve: Sieve | undefined;
  return (text, place, marksOf) => {
    sieve ??= compile();
    const { read, longest, needed } = sieve;
    const until = Math.min(place + longest + 1, text.length);
    const isMissing = (marker: Marker): boolean => marksOf?.(marker).first(place, until) === NONE;
    let end = read(text, place, Math.min(place + NEAR, until));
    if (end === OPEN && until > place + NEAR) {
      if (needed.some(isMissing)) return null;
      end = read(text, place, until);
    }
    if (end < 0) return null;
    pattern.lastIndex = place;
    return pattern.exec(text);
  };
}

/** Whether a pattern without the flags g and y matches anywhere in the text; behind a sieve as above. */
export function sieved(pattern: RegExp): (text: string) => boolean {
  const loosened = loosenedReader(pattern, true);
  return (text) => loosened().read(text, 0, text.length) >= 0 && pattern.test(text);
}
