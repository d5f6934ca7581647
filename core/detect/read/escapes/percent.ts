import { type Escape, formOfPoint, hexAt } from './escape.ts';

const PERCENT = 37;
/** `%2540` is `%40`, encoded again. */
const MAX_LEVELS = 3;
const CONTINUES = 0x80;

interface Byte {
  readonly value: number;
  /** Where the next byte starts. */
  readonly end: number;
}

/** The byte of a `%XX`, which may be encoded up to two more times; null if there is none. */
function byteAt(text: string, at: number): Byte | null {
  if (text.charCodeAt(at) !== PERCENT) return null;
  let from = at + 1;
  for (let level = 1; ; level++) {
    const value = hexAt(text, from, 2);
    if (value === -1) return null;
    from += 2;
    if (value !== PERCENT || level === MAX_LEVELS || hexAt(text, from, 2) === -1) return { value, end: from };
  }
}

/** The length of a UTF-8 character, by its first byte; 0 if no character starts with it. */
function bytesOf(first: number): number {
  if (first < CONTINUES) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/** The percent-encoded character at `at`: a single byte, or the bytes of one UTF-8 character. */
export function percentAt(text: string, at: number): Escape | null {
  const first = byteAt(text, at);
  if (first === null) return null;
  const count = bytesOf(first.value);
  if (count === 0) return null;
  let point = count === 1 ? first.value : first.value & (0xff >> (count + 1));
  let { end } = first;
  for (let i = 1; i < count; i++) {
    const next = byteAt(text, end);
    if (next === null || (next.value & 0xc0) !== CONTINUES) return null;
    point = point * 64 + (next.value & 0x3f);
    end = next.end;
  }
  const form = formOfPoint(point);
  return form === null ? null : { width: end - at, form };
}
