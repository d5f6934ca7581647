const OTHER_LETTER = /[^\P{L}\p{Script=Latin}]/u;
const WORDS = /[\p{L}\p{M}'’-]+/gu;
const CAPITALISED = /^\p{Lu}/u;

/**
 * Whether words of another script than Latin are only taken for a person: the tagger learned from Latin names, and
 * every word of another script is unknown to it. Two capitalised words are believed.
 */
export function isOtherScript(text: string, start: number, end: number): boolean {
  const span = text.slice(start, end);
  if (!OTHER_LETTER.test(span)) return false;
  const words = span.match(WORDS) ?? [];
  return words.length < 2 || words.some((word) => !CAPITALISED.test(word));
}
