import type { Edges } from '../../read/escapes/span-list.ts';

/** Code points that may continue a user-perceived character. */
const CONTINUES =
  /^(?:\p{M}|\u200c|\u200d|[\u1100-\u11ff]|[\u{1f3fb}-\u{1f3ff}]|[\u{1f1e6}-\u{1f1ff}]|[\u{e0020}-\u{e007f}])/u;
const FIRST_MARK = 0x300;
const JOINER = 0x200d;
const ASCII = 0x80;
/** Code units read around a border; family emoji and flags are shorter. */
const MAX_REACH = 256;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Whether a character may continue at `at`. */
function mayContinue(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  // Most borders are next to ASCII.
  if (Number.isNaN(unit) || unit < FIRST_MARK) return false;
  return isLow(unit) || text.charCodeAt(at - 1) === JOINER || CONTINUES.test(text.slice(at, at + 2));
}

/** The character that contains `at` in its interior; null if one starts there. */
function characterAround(text: string, at: number): Edges | null {
  if (at <= 0 || !mayContinue(text, at)) return null;
  let from = at - 1;
  const first = Math.max(0, at - MAX_REACH);
  while (from > first && text.charCodeAt(from) >= ASCII) from--;
  const { index, segment } = graphemes.segment(text.slice(from, at + MAX_REACH)).containing(at - from)!;
  const start = from + index;
  return start === at ? null : { start, end: start + segment.length };
}

/**
 * The smallest span around the given one that splits no user-perceived character: no surrogate pair, emoji sequence or
 * flag, and no letter with its marks.
 */
export function wholeCharacters(text: string, { start, end }: Edges): Edges {
  const first = characterAround(text, start);
  const last = characterAround(text, end);
  return first === null && last === null
    ? { start, end }
    : { start: first?.start ?? start, end: last?.end ?? end };
}
