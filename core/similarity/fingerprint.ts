import { type Cipher, createCipheriv } from 'node:crypto';
import { wordsOf } from './words.ts';

/**
 * A keyed fingerprint of a text: texts that are alike have alike fingerprints (`compare.ts`), and without the key a
 * fingerprint says nothing of a text. MinHash over the pairs of neighbouring words, by one permutation with
 * densification (Broder 1997; Li, Owen and Zhang 2012; Shrivastava 2017), 4 bits (Li and Koenig 2010) in each of 64
 * bins. The permutation is AES-128 of the pair, so whoever knows fingerprints of texts of his own choice still cannot
 * tell what the cipher makes of another pair. docs/adr/0050-fingerprint-prompts-with-keyed-minhash.md says what a fingerprint does tell.
 */

/** Length of the key, in bytes. */
export const FINGERPRINT_KEY_BYTES = 16;
export const BINS = 64;
/** Numbers of 32 bits in a block of the cipher. */
const BLOCK = 4;
const HIGHEST = 0x7fffffff;
const EMPTY = -1;
/** 2^32 over the golden ratio: neighbouring bins get distant numbers. */
const SPREAD = 0x9e3779b1 | 0;

/** Eight different words: greetings, names, numbers and single terms are equal everywhere and say nothing. */
const ENOUGH = 16;

/**
 * The fingerprint of a text, 64 lower-case hexadecimal digits; null: the text has less than eight different words
 * besides numbers, or 17 letters of a script without spaces. Reads 16,384 code units at most (`words.ts`). `key`:
 * 16 bytes that serve nothing else and do not change. Throws when its length is another one.
 */
export function fingerprintOf(key: Buffer, text: string): string | null {
  const { weight, hashes } = wordsOf(text, ENOUGH);
  return weight < ENOUGH ? null : hexOf(permuted(key, hashes));
}

/**
 * Without a mode no block knows of another, so that one cipher serves all texts of a key: making one takes longer than
 * the blocks of a prompt. Forgotten with the buffer that holds the key.
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
 * Each two neighbouring words as one block of four numbers, enciphered. Equal pairs shall become equal blocks: hence no
 * mode. Numbers are in the machine's order of bytes, which is little-endian wherever this runs.
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
  // Whole blocks go in and come out; a rest would be the beginning of the next text's.
  if (byteLength !== blocks.byteLength) throw new Error('the cipher returned an incomplete fingerprint');
  return new Int32Array(buffer, byteOffset, byteLength / Int32Array.BYTES_PER_ELEMENT);
}

/** The digit of each bin, from the pair that comes first in it. */
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
    // A digit of its own for every bin that has to borrow this pair: copies would tell how short a text is, and make
    // short texts alike by chance.
    const digit = Math.imul(blocks[first + 2]! ^ Math.imul(bin + 1, SPREAD), blocks[first + 3]! | 1) >>> 28;
    digits[bin >> 1]! |= bin % 2 === 0 ? digit << 4 : digit;
  }
  return digits.toString('hex');
}

/** For each bin all bins in an order of its own, itself first: where an empty one borrows from. */
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

/** Where the pair is that a bin's digit is made of. */
function borrowed(bin: number, firsts: readonly number[]): number {
  const order = BORROWED_FROM[bin]!;
  let step = 0;
  while (firsts[order[step]!] === EMPTY) step += 1;
  return firsts[order[step]!]!;
}
