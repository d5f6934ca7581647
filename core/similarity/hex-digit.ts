const [CODE_OF_9, CODE_OF_0, CODE_OF_A] = [57, 48, 97] as const;

/** The value of the lower-case hexadecimal digit at a place of a text; of other characters no value in particular. */
export function hexDigitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= CODE_OF_9 ? code - CODE_OF_0 : code - CODE_OF_A + 10;
}
