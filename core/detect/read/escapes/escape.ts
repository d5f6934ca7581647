/** An escape sequence in a text. */
export interface Escape {
  /** Length in code units. */
  readonly width: number;
  /** What it stands for. */
  readonly form: string;
}

const LAST_POINT = 0x10ffff;
const SPACES = '\t\n\r';

/**
 * The character with this code point; a blank for control characters, which separate words. Null for invalid numbers.
 */
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

/** The value of `count` hexadecimal digits; -1 if there are fewer. */
export function hexAt(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}
