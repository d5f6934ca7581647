import { PatternFault } from './fault.ts';

/**
 * Character sets, each as a source that JavaScript's regular expressions accept with the flag u. JavaScript decides for
 * each character whether a set contains it, so classes, properties and case have their JavaScript meaning.
 */

/** Escapes with the same meaning inside and outside a class. */
const ESCAPE =
  /\\(?:[dDwWsStnrfv]|[pP]\{[\w=]{1,64}\}|u\{[0-9a-fA-F]{1,6}\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|0(?!\d))/y;
/** The only marks that may be escaped with the flag u. */
const SYNTAX_MARKS = '^$\\.*+?()[]{}|/';

export const setOfCharacter = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** The set that starts at `start` with an escape or `[`, and its end. Throws `PatternFault`. */
export function readSet(source: string, start: number): { readonly set: string; readonly end: number } {
  if (source[start] === '\\') return readEscape(source, start, '');
  let set = '[';
  let at = start + 1;
  while (at < source.length && source[at] !== ']') {
    if (source[at] !== '\\') {
      set += source[at++];
      continue;
    }
    const escaped = readEscape(source, at, '-b');
    set += escaped.set;
    at = escaped.end;
  }
  if (at === source.length) throw new PatternFault('a class of characters is not closed');
  return { set: `${set}]`, end: at + 1 };
}

/** `also`: characters that may be escaped here in addition to syntax characters. */
function readEscape(source: string, start: number, also: string): { set: string; end: number } {
  ESCAPE.lastIndex = start;
  const known = ESCAPE.exec(source);
  if (known !== null) return { set: known[0], end: start + known[0].length };
  const character = String.fromCodePoint(source.codePointAt(start + 1) ?? 0);
  const end = start + 1 + character.length;
  if (SYNTAX_MARKS.includes(character) || also.includes(character)) return { set: `\\${character}`, end };
  if (/[1-9k]/.test(character)) throw new PatternFault('references to groups are not supported');
  if (/[\p{L}\p{N}]/u.test(character)) throw new PatternFault(`\\${character} is not known here`);
  return { set: also === '' ? setOfCharacter(character) : character, end };
}

/** Whether a set contains the character. `flags`: the pattern's. Throws `PatternFault` for an invalid set. */
export function setTest(set: string, flags: string): (character: string) => boolean {
  const kept = [...flags].filter((flag) => flag === 'i' || flag === 's').join('');
  try {
    const whole = new RegExp(`^${set}$`, `${kept}u`);
    return (character) => whole.test(character);
  } catch {
    throw new PatternFault('a class of characters is not valid');
  }
}
