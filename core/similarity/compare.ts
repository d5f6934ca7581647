import { BINS } from './fingerprint.ts';
import { hexDigitAt } from './hex-digit.ts';

/** Chance that the digits of a bin are equal although the texts have nothing in common. */
const BY_CHANCE = 1 / 16;

const BIN_BITS = 4;

/** The digits of a fingerprint, eight to a number of 32 bits, the first one lowest: compared many times, read once. */
type Digits = readonly number[];

/** The digits of 64 lower-case hexadecimal ones. */
export function digitsOf(fingerprint: string): Digits {
  // A list of small integers is a third of the bytes of a typed array, and quicker to make.
  const digits = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let bin = 0; bin < BINS; bin += 1)
    digits[bin >> 3]! |= hexDigitAt(fingerprint, bin) << ((bin & 7) * BIN_BITS);
  return digits;
}

/** The fingerprint that digits were read from. */
export function textOf(digits: Digits): string {
  let text = '';
  for (let bin = 0; bin < BINS; bin += 1)
    text += ((digits[bin >> 3]! >>> ((bin & 7) * BIN_BITS)) & 15).toString(16);
  return text;
}

/** A bit of each digit. */
const LOWEST_BITS = 0x11111111;

/**
 * How much of two texts is the same, from their fingerprints under one key: an estimate of the share of pairs of
 * neighbouring words that both have among those that either has (Jaccard index), 0 to 1. The standard error is about
 * 0.07 in the middle, and 0.03 for texts that have nothing in common.
 */
export function similarityOf(one: Digits, other: Digits): number {
  let unequal = 0;
  for (let at = 0; at < one.length; at += 1) {
    let bits = one[at]! ^ other[at]!;
    // The lowest bit of a digit says whether any of its four is set; a multiplication adds the eight.
    bits |= bits >>> 1;
    bits |= bits >>> 2;
    unequal += Math.imul(bits & LOWEST_BITS, LOWEST_BITS) >>> 28;
  }
  return Math.max(0, ((BINS - unequal) / BINS - BY_CHANCE) / (1 - BY_CHANCE));
}

/** The same of fingerprints as they are stored. */
export const similarity = (one: string, other: string): number =>
  similarityOf(digitsOf(one), digitsOf(other));

/**
 * From this similarity on two texts count as near-duplicates: they have two of five pairs of words in common, and
 * unrelated ones are many standard errors away. docs/adr/0050-fingerprint-prompts-with-keyed-minhash.md has the measured rates.
 */
export const NEAR_DUPLICATE = 0.4;

const BAND_BINS = 3;
/** Keys of a fingerprint; the last of its bins belongs to none. */
export const BANDS = Math.floor(BINS / BAND_BINS);

/**
 * Keys for finding candidates without comparing all with all: fingerprints that share one are worth a comparison.
 * `BANDS` of each: the number of the band and its three digits, as one number. Of texts that have nothing in common 1 in 195 pairs shares one; of those with a
 * similarity of 0.4 84 %, of 0.5 97 %, of 0.6 more than 99 %.
 */
export function bandsOf(digits: Digits): number[] {
  const keys = new Array<number>(BANDS);
  for (let band = 0; band < BANDS; band += 1) {
    let key = band;
    for (let bin = band * BAND_BINS; bin < (band + 1) * BAND_BINS; bin += 1)
      key = (key << BIN_BITS) | ((digits[bin >> 3]! >>> ((bin & 7) * BIN_BITS)) & 15);
    keys[band] = key;
  }
  return keys;
}

/** All that comparing them takes, for those who are handed it. */
export const FINGERPRINTS = { digitsOf, textOf, similarityOf, bandsOf } as const;
