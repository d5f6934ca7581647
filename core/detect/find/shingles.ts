import { isAsciiAlphanumeric } from '../read/characters.ts';

/** Words per shingle: two texts rarely share eight consecutive words by chance. */
const SHINGLE = 8;
/** Minimum number of consecutive words that two texts must share. */
export const ENOUGH_WORDS = 14;

export interface Word {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

const BEYOND = 192;
const WORD_PARTS = Uint8Array.from({ length: BEYOND }, (_, unit) => (isAsciiAlphanumeric(unit) ? 1 : 0));

/** Letters and digits. As an approximation, everything beyond ASCII counts as a letter. */
const isWordPart = (unit: number): boolean => unit >= BEYOND || WORD_PARTS[unit] === 1;

/** Words by hash (FNV-1a), case-insensitive, regardless of what separates them. */
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

/** Calls `visit` with the rolling hash (Rabin-Karp, modulo 2^32) and the first word of each shingle. */
export function forEachShingle(words: readonly Word[], visit: (hash: number, first: number) => void): void {
  const rolling = new RollingHash();
  for (let i = 0; i < words.length; i++) {
    const hash = rolling.add(words[i]!.hash);
    if (i >= SHINGLE - 1) visit(hash, i - SHINGLE + 1);
  }
}

/** The hashes of the last words, for one text at a time. */
const last = new Int32Array(SHINGLE);

class RollingHash {
  #hash = 0;
  #words = 0;

  /** Adds the hash of the next word; returns the hash of the last `SHINGLE` words. */
  add(word: number): number {
    const at = this.#words++ % SHINGLE;
    const rest = this.#words > SHINGLE ? this.#hash - Math.imul(last[at]!, POWER) : this.#hash;
    last[at] = word;
    this.#hash = (Math.imul(rest, BASE) + word) | 0;
    return this.#hash;
  }
}

/** Only every n-th shingle of a prompt is recorded, because a shared passage has n in a row. */
const RECORD_EVERY = ENOUGH_WORDS - SHINGLE + 1;
/** One bit per slot, enough to make collisions with recorded shingles rare. */
const SLOTS = 2 ** 15;
const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1);
/** The slots recorded for the current exchange. */
const recorded = new Int32Array(SLOTS / 32);

/**
 * False if no passage is shared, as in most exchanges. Cheaper than checking whether the prompt reads like
 * instructions.
 */
export function mayShare(prompt: string, response: string): boolean {
  if (prompt.length < 2 * ENOUGH_WORDS - 1 || response.length < 2 * ENOUGH_WORDS - 1) return false;
  recorded.fill(0);
  let words = 0;
  const ofPrompt = new RollingHash();
  forEachWord(prompt, (word) => {
    const hash = ofPrompt.add(word);
    if (++words >= SHINGLE && words % RECORD_EVERY === 0)
      recorded[slotOf(hash) >>> 5]! |= 1 << (slotOf(hash) & 31);
  });
  if (words < ENOUGH_WORDS) return false;
  words = 0;
  let shared = false;
  const ofResponse = new RollingHash();
  forEachWord(response, (word) => {
    const hash = ofResponse.add(word);
    if (++words >= SHINGLE && ((recorded[slotOf(hash) >>> 5]! >>> (slotOf(hash) & 31)) & 1) === 1)
      shared = true;
  });
  return shared && words >= ENOUGH_WORDS;
}
