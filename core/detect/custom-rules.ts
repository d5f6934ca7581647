import type { Candidate } from './detector.ts';

export interface RuleHit extends Candidate {
  /** Place of the rule in the sandbox's list, from 0. */
  readonly ruleIndex: number;
}

/** True for `/.../flags`, the spelling of a pattern. Such rules need an engine of linear time and are not run yet. */
export function isPatternRule(rule: string): boolean {
  return /^\/.+\/[imsu]*$/s.test(rule.trim());
}

/**
 * Lower case without a change of length, so that places stay those of the original text. The rare letters
 * whose lower case has another length are left as they are; both sigmas of Greek count as one.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  const folded =
    lower.length === text.length
      ? lower
      : Array.from(text, (character) => {
          const one = character.toLowerCase();
          return one.length === character.length ? one : character;
        }).join('');
  return folded.replaceAll('ς', 'σ');
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** The code point that ends right before `index`, or begins at it, is part of a word. */
function wordEndsAt(text: string, index: number): boolean {
  if (index <= 0) return false;
  const unit = text.charCodeAt(index - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;
  return WORD.test(text.slice(isLowSurrogate ? index - 2 : index - 1, index));
}

function wordBeginsAt(text: string, index: number): boolean {
  const point = text.codePointAt(index);
  return point !== undefined && WORD.test(String.fromCodePoint(point));
}

/** For each prefix of the word, the length of its longest proper suffix that is a prefix (Knuth, Morris, Pratt). */
function borders(word: string): Int32Array {
  const border = new Int32Array(word.length);
  let length = 0;
  for (let i = 1; i < word.length; i++) {
    while (length > 0 && word.charCodeAt(i) !== word.charCodeAt(length)) length = border[length - 1]!;
    if (word.charCodeAt(i) === word.charCodeAt(length)) length++;
    border[i] = length;
  }
  return border;
}

/** Every place of `word` that does not overlap an earlier one, whole words only, in time linear in the text. */
function placesOf(word: string, text: string): number[] {
  const places: number[] = [];
  const border = borders(word);
  const wordAtBegin = wordBeginsAt(word, 0);
  const wordAtEnd = wordEndsAt(word, word.length);
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && unit !== word.charCodeAt(matched)) matched = border[matched - 1]!;
    if (unit === word.charCodeAt(matched)) matched++;
    if (matched < word.length) continue;
    const start = i + 1 - word.length;
    const insideWord = (wordAtBegin && wordEndsAt(text, start)) || (wordAtEnd && wordBeginsAt(text, i + 1));
    matched = insideWord ? border[matched - 1]! : 0;
    if (!insideWord) places.push(start);
  }
  return places;
}

/**
 * Finds the words and phrases of a sandbox's custom rules as they are written, as whole words, in any case.
 * A rule of the spelling `/.../flags` is skipped: sandboxes refuse it until patterns are supported.
 */
export function findCustomRules(text: string, rules: readonly string[]): RuleHit[] {
  if (rules.length === 0) return [];
  const folded = foldCase(text);
  return rules.flatMap((rule, ruleIndex) => {
    const word = foldCase(rule.trim());
    if (word === '' || isPatternRule(rule)) return [];
    return placesOf(word, folded).map((start) => ({
      code: 'CUSTOM_RULE' as const,
      entity: 'CUSTOM_RULE' as const,
      start,
      end: start + word.length,
      confidence: 1,
      ruleIndex,
    }));
  });
}
