/** The value of the lower-case hexadecimal digit at a place of a text; of other characters no value in particular. */
export function hexDigitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // '0' is 0x30 and 'a' 0x61. Without a branch, which half of the digits of a hash would take by surprise.
  return (code & 15) + 9 * (code >> 6);
}
