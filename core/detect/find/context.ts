import words from './lists/other-numbers.json' with { type: 'json' };

/** How many code units before a number are searched for words that describe it. */
const REACH = 48;

/** The lower-cased text right before `start`, on the same line, at most 48 code units long. */
export function textBefore(text: string, start: number): string {
  const reached = text.slice(Math.max(0, start - REACH), start);
  return reached.slice(reached.lastIndexOf('\n') + 1).toLowerCase();
}

/**
 * Returns a test whether one of the words occurs near the end of a `textBefore`: as a whole word ("lic" does not match
 * "public"), at most `distance` code units away, with no digit in between.
 */
export function cueTest(words: readonly string[], distance: number): (before: string) => boolean {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])[^\\d]{0,${distance}}$`,
    'u',
  );
  return (before) => pattern.test(before);
}

/** Marks that attach a number to the word before it, or make it part of something; a dash after a blank does not. */
const GLUE = /[^\W_]$|[\p{L}\p{N}][._-]$|[/#]$/u;

/** Whether a value is attached to what precedes it: "SSN#536-22-1234", "order_123456789". */
export const isGlued = (text: string, start: number): boolean =>
  GLUE.test(text.slice(Math.max(0, start - 2), start));

/**
 * Returns a test whether a `textBefore` ends with one of these labels (a pattern of alternatives), so that a value
 * attached to it is still a value: "ssn#", "card no.", "ip_".
 */
export function labelTest(labels: string): (before: string) => boolean {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${labels})(?:[ _-]?(?:numbers?|num|no|nr)(?![\\p{L}]))?\\.? ?[#:=._/-]{0,2}$`,
    'u',
  );
  return (before) => pattern.test(before);
}

const namesOtherNumber = cueTest(words.numbersOfThings, 16);

/** Whether the words before a number say that it is an order, a version, an ISBN or the like. */
export function isNumberOfAThing(before: string): boolean {
  return namesOtherNumber(before);
}
