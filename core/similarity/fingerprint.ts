import { type Cipher, createCipheriv } from 'node:crypto';
import { wordsOf } from './words.ts';

/**
 * A keyed fingerprint of a text: similar texts have similar fingerprints (`compare.ts`), and without the key a
 * fingerprint reveals nothing about its text. MinHash over the pairs of neighbouring words, by one permutation with
 * densification (Broder 1997; Li, Owen and Zhang 2012; Shrivastava 2017), 4 bits (Li and Koenig 2010) in each of 64
 * bins. The permutation is AES-128 of the pair, so an attacker who knows fingerprints of chosen texts still cannot
 * predict how the cipher maps another pair. docs/adr/0050-fingerprint-prompts-with-keyed-minhash.md describes what a fingerprint does reveal.
 */

export const FINGERPRINT_KEY_BYTES = 16;
export const BINS = 64;
/** 32-bit numbers in a cipher block. */
const BLOCK = 4;
const HIGHEST = 0x7fffffff;
const EMPTY = -1;
/** 2^32 divided by the golden ratio: neighbouring bins map to distant numbers. */
const SPREAD = 0x9e3779b1 | 0;

/** Eight different words: greetings, names, numbers and single terms occur everywhere and carry no information. */
const ENOUGH = 16;

/**
 * The fingerprint of a text, 64 lower-case hexadecimal digits; null: the text has fewer than eight different words
 * besides numbers, or 17 letters of a script without spaces. Reads at most 16,384 code units (`words.ts`). `key`: 16
 * bytes that are used for nothing else and never change. Throws if the key has another length.
 */
export function fingerprintOf(key: Buffer, text: string): string | null {
  const { weight, hashes } = wordsOf(text, ENOUGH);
  return weight < ENOUGH ? null : hexOf(permuted(key, hashes));
}

/**
 * Without a chaining mode blocks are independent, so one cipher serves all texts of a key: creating one takes longer
 * than enciphering a prompt. Released together with the buffer that holds the key.
 */
const ciphers = new WeakMap<Buffer, Cipher>();

function cipherOf(key: Buffer): Cipher {
  let cipher = ciphers.get(key);
  if (cipher === undefined) {
    cipher = createCipheriv('aes-128-ecb', key, null);
    ciphers.set(key, cipher);
  }
  return cipher;
}

/**
 * Enciphers each pair of neighbouring words as one block of four numbers. Equal pairs must become equal blocks, so
 * there is no chaining mode. Numbers are in the machine's byte order, which is little-endian on all supported machines.
 */
function permuted(key: Buffer, hashes: readonly number[]): Int32Array {
  const pairs = hashes.length / 2 - 1;
  const blocks = new Int32Array(pairs * BLOCK);
  for (let pair = 0; pair < pairs; pair += 1) {
    const [word, at] = [2 * pair, BLOCK * pair];
    blocks[at] = hashes[word]!;
    blocks[at + 1] = hashes[word + 1]!;
    blocks[at + 2] = hashes[word + 2]!;
    blocks[at + 3] = hashes[word + 3]!;
  }
  const { buffer, byteOffset, byteLength } = cipherOf(key).update(blocks);
  // Whole blocks go in and come out; a remainder would become the start of the next text's.
  if (byteLength !== blocks.byteLength) throw new Error('the cipher returned an incomplete fingerprint');
  return new Int32Array(buffer, byteOffset, byteLength / Int32Array.BYTES_PER_ELEMENT);
}

/** The digit of each bin, from the pair that sorts first in it. */
function hexOf(blocks: Int32Array): string {
  const ranks = new Array<number>(BINS).fill(HIGHEST);
  const firsts = new Array<number>(BINS).fill(EMPTY);
  for (let at = 0; at < blocks.length; at += BLOCK) {
    const bin = blocks[at]! & (BINS - 1);
    const rank = blocks[at + 1]!;
    if (rank >= ranks[bin]! && firsts[bin] !== EMPTY) continue;
    ranks[bin] = rank;
    firsts[bin] = at;
  }
  const digits = Buffer.alloc(BINS / 2);
  for (let bin = 0; bin < BINS; bin += 1) {
    const first = borrowed(bin, firsts);
    // A different digit for every bin that borrows this pair: copies would reveal how short a text is, and make short
    // texts similar by chance.
    const digit = Math.imul(blocks[first + 2]! ^ Math.imul(bin + 1, SPREAD), blocks[first + 3]! | 1) >>> 28;
    digits[bin >> 1]! |= bin % 2 === 0 ? digit << 4 : digit;
  }
  return digits.toString('hex');
}

/**
 * For each bin, all bins in a fixed order that starts with itself: an empty bin borrows from the first that is not
 * empty.
 */
const BORROWED_FROM = Array.from({ length: BINS }, (_, bin) => orderOf(bin));

function orderOf(first: number): Uint8Array {
  const others = Array.from({ length: BINS }, (_, bin) => bin).filter((bin) => bin !== first);
  let seed = first + 1;
  for (let left = others.length; left > 1; left -= 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const picked = Math.floor((seed / 2 ** 32) * left);
    [others[picked], others[left - 1]] = [others[left - 1]!, others[picked]!];
  }
  return Uint8Array.from([first, ...others]);
}

/** Index of the pair that a bin's digit is made from. */
function borrowed(bin: number, firsts: readonly number[]): number {
  const order = BORROWED_FROM[bin]!;
  let step = 0;
  while (firsts[order[step]!] === EMPTY) step += 1;
  return firsts[order[step]!]!;
}
