/** Code points, and offsets that do not split one. Offsets count UTF-16 code units. */

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** The code point that ends at an offset; a lone surrogate is its own code point. */
export function codePointBefore(text: string, offset: number): number {
  const unit = text.charCodeAt(offset - 1);
  if (!isLowSurrogate(unit) || offset < 2) return unit;
  const high = text.charCodeAt(offset - 2);
  return isHighSurrogate(high) ? 0x10000 + ((high & 0x3ff) << 10) + (unit & 0x3ff) : unit;
}

export const unitsOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

/** The offset itself, or the one before it if it splits a surrogate pair. */
export function wholeOffset(text: string, offset: number): number {
  const splits = isHighSurrogate(text.charCodeAt(offset - 1)) && isLowSurrogate(text.charCodeAt(offset));
  return splits ? offset - 1 : offset;
}
