import { BINS } from './fingerprint.ts';

/** Chance that the digits of a bin are equal although the texts have nothing in common. */
const BY_CHANCE = 1 / 16;

/**
 * How much of two texts is the same, from their fingerprints under one key: an estimate of the share of pairs of
 * neighbouring words that both have among those that either has (Jaccard index), 0 to 1. The standard error is about
 * 0.07 in the middle, and 0.03 for texts that have nothing in common.
 */
export function similarity(one: string, other: string): number {
  let equal = 0;
  for (let bin = 0; bin < BINS; bin += 1) if (one.charCodeAt(bin) === other.charCodeAt(bin)) equal += 1;
  return Math.max(0, (equal / BINS - BY_CHANCE) / (1 - BY_CHANCE));
}

/**
 * From this similarity on two texts count as near-duplicates: they have two of five pairs of words in common, and
 * unrelated ones are many standard errors away. docs/adr/0050-fingerprints.md has the measured rates.
 */
export const NEAR_DUPLICATE = 0.4;

const BAND_BINS = 3;
/** Keys of a fingerprint; the last of its bins belongs to none. */
export const BANDS = Math.floor(BINS / BAND_BINS);

const BIN_BITS = 4;

/**
 * Keys for finding candidates without comparing all with all: fingerprints that share one are worth a comparison.
 * `BANDS` of each: the number of the band and its three digits, as one number. Of texts that have nothing in common 1 in 195 pairs shares one; of those with a
 * similarity of 0.4 84 %, of 0.5 97 %, of 0.6 more than 99 %.
 */
export function bands(fingerprint: string): number[] {
  const keys: number[] = [];
  for (let band = 0; band < BANDS; band += 1) {
    let key = band;
    for (let bin = band * BAND_BINS; bin < (band + 1) * BAND_BINS; bin += 1)
      key = (key << BIN_BITS) | digitOf(fingerprint.charCodeAt(bin));
    keys.push(key);
  }
  return keys;
}

const [CODE_OF_0, CODE_OF_9, CODE_OF_A] = [48, 57, 97] as const;
const digitOf = (code: number): number => (code <= CODE_OF_9 ? code - CODE_OF_0 : code - CODE_OF_A + 10);
