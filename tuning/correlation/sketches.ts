import type { Similarity } from '#core/correlate/state/clusters.ts';
import { digitsOf, similarityOf, textOf } from '#core/similarity/compare.ts';
import type { SeededRandom } from '../samples/random.ts';

/**
 * Simulates keyed fingerprints: 64 hexadecimal digits, each of which two texts share by chance or because they have a
 * part in common. Compared like real fingerprints.
 */
const DIGITS = '0123456789abcdef';
const LENGTH = 64;
const BAND = 4;

export const unrelated = (random: SeededRandom): string => random.string(DIGITS, LENGTH);

/** The fingerprint of a text of which this share was rewritten. */
export const variantOf = (random: SeededRandom, fingerprint: string, changed: number): string =>
  Array.from(fingerprint, (digit) => (random.next() < changed ? random.pick([...DIGITS]) : digit)).join('');

export const SKETCHES: Similarity = {
  digitsOf,
  textOf,
  similarityOf,
  bandsOf: (digits) => {
    const text = textOf(digits);
    return Array.from({ length: LENGTH / BAND }, (_, band) => {
      const from = band * BAND;
      return Number.parseInt(band.toString(16) + text.slice(from, from + BAND), 16);
    });
  },
};
