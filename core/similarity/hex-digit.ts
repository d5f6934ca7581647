/** The value of the lower-case hexadecimal digit at an index of a text; unspecified for other characters. */
export function hexDigitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // '0' is 0x30 and 'a' is 0x61. Avoids a branch, which would be mispredicted for half of the digits of a hash.
  return (code & 15) + 9 * (code >> 6);
}
