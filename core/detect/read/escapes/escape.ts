/** An escape sequence of a text. */
export interface Escape {
  /** Code units in the text. */
  readonly width: number;
  /** What it stands for. */
  readonly form: string;
}

const LAST_POINT = 0x10ffff;
const SPACES = '\t\n\r';

/** Control characters separate words: a blank stands for them. Null for a number that is no code point. */
export function formOfPoint(point: number): string | null {
  if (point > LAST_POINT) return null;
  const character = String.fromCodePoint(point);
  return point >= 32 || SPACES.includes(character) ? character : ' ';
}

const ZERO = 48;

/** The value of a hexadecimal digit; -1 for anything else. */
export function hexDigit(unit: number): number {
  if (unit >= ZERO && unit < ZERO + 10) return unit - ZERO;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The number that `count` hexadecimal digits write; -1 when there are fewer. */
export function hexAt(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}
