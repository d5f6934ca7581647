/**
 * Tests on single UTF-16 code units, for scanners that walk through a text. NaN (outside the text) fails all of them.
 */

export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

export function isAsciiLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

export function isAsciiAlphanumeric(unit: number): boolean {
  return isDigit(unit) || isAsciiLetter(unit);
}

/** Letters, digits and underscore: what `\w` means. */
export function isWordUnit(unit: number): boolean {
  return isAsciiAlphanumeric(unit) || unit === 95;
}

/** Letters, digits, `_` and `-`: the alphabet of base64url and of most key formats. */
export function isTokenUnit(unit: number): boolean {
  return isWordUnit(unit) || unit === 45;
}

/** Tab, line feed, carriage return, space, no-break space. */
export function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 160;
}

/** First index at or after `from` whose unit fails the test; at most `limit`. */
export function skipWhile(
  text: string,
  from: number,
  limit: number,
  test: (unit: number) => boolean,
): number {
  const end = Math.min(limit, text.length);
  let i = from;
  while (i < end && test(text.charCodeAt(i))) i++;
  return i;
}

/** Start of the run of passing units that ends right before `from`; at least `limit`. */
export function skipBackWhile(
  text: string,
  from: number,
  limit: number,
  test: (unit: number) => boolean,
): number {
  const start = Math.max(0, limit);
  let i = from;
  while (i > start && test(text.charCodeAt(i - 1))) i--;
  return i;
}
