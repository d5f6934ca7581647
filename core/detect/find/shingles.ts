import { isAsciiAlphanumeric } from '../read/characters.ts';

/** Words per shingle; two texts that share eight words in a row do so for a reason. */
const SHINGLE = 8;
/** Consecutive words that two texts must share. */
export const ENOUGH_WORDS = 14;

export interface Word {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

const BEYOND = 192;
const WORD_PARTS = Uint8Array.from({ length: BEYOND }, (_, unit) => (isAsciiAlphanumeric(unit) ? 1 : 0));

/** Letters and digits; roughly, everything beyond ASCII counts as a letter. */
const isWordPart = (unit: number): boolean => unit >= BEYOND || WORD_PARTS[unit] === 1;

/** Words by hash (FNV-1a), case-insensitive, whatever is between them. */
export function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  forEachWord(text, (hash, start, end) => words.push({ hash, start, end }));
  return words;
}

function forEachWord(text: string, visit: (hash: number, start: number, end: number) => void): void {
  for (let i = 0; i < text.length; i++) {
    if (!isWordPart(text.charCodeAt(i))) continue;
    const start = i;
    let hash = 0x811c9dc5;
    for (; i < text.length && isWordPart(text.charCodeAt(i)); i++)
      hash = Math.imul(hash ^ (text.charCodeAt(i) | 32), 0x01000193);
    visit(hash >>> 0, start, i);
  }
}

const BASE = 0x2545f491;
const POWER = Array.from({ length: SHINGLE - 1 }).reduce((power: number) => Math.imul(power, BASE), 1);

/** Calls `visit` with the rolling hash of each shingle (Rabin-Karp, modulo 2^32) and its first word. */
export function forEachShingle(words: readonly Word[], visit: (hash: number, first: number) => void): void {
  const rolling = new RollingHash();
  for (let i = 0; i < words.length; i++) {
    const hash = rolling.add(words[i]!.hash);
    if (i >= SHINGLE - 1) visit(hash, i - SHINGLE + 1);
  }
}

/** The hashes of the last words. For one text at a time. */
const last = new Int32Array(SHINGLE);

class RollingHash {
  #hash = 0;
  #words = 0;

  /** Takes the hash of the next word; returns that of the last `SHINGLE` together. */
  add(word: number): number {
    const at = this.#words++ % SHINGLE;
    const rest = this.#words > SHINGLE ? this.#hash - Math.imul(last[at]!, POWER) : this.#hash;
    last[at] = word;
    this.#hash = (Math.imul(rest, BASE) + word) | 0;
    return this.#hash;
  }
}

/** Of the shingles of a prompt only every so many are noted: a shared passage has that many in a row. */
const NOTED = ENOUGH_WORDS - SHINGLE + 1;
/** So many that few shingles of other words have the slot of a noted one. A bit for each. */
const SLOTS = 2 ** 15;
const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1);
/** For the current exchange. */
const noted = new Int32Array(SLOTS / 32);

/**
 * False when no passage is shared, which is so for most exchanges: cheaper than asking whether the prompt reads like
 * instructions.
 */
export function mayShare(prompt: string, response: string): boolean {
  if (prompt.length < 2 * ENOUGH_WORDS - 1 || response.length < 2 * ENOUGH_WORDS - 1) return false;
  noted.fill(0);
  let words = 0;
  const ofPrompt = new RollingHash();
  forEachWord(prompt, (word) => {
    const hash = ofPrompt.add(word);
    if (++words >= SHINGLE && words % NOTED === 0) noted[slotOf(hash) >>> 5]! |= 1 << (slotOf(hash) & 31);
  });
  if (words < ENOUGH_WORDS) return false;
  words = 0;
  let shared = false;
  const ofResponse = new RollingHash();
  forEachWord(response, (word) => {
    const hash = ofResponse.add(word);
    if (++words >= SHINGLE && ((noted[slotOf(hash) >>> 5]! >>> (slotOf(hash) & 31)) & 1) === 1) shared = true;
  });
  return shared && words >= ENOUGH_WORDS;
}
