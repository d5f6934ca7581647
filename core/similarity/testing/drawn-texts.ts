/** Texts of random words for tests, the same for the same seed. */

/** Returns the next random integer in [0, `below`) on each call (mulberry32). */
export function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const SYLLABLES = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ha',
  'je',
  'ki',
  'lo',
  'mu',
  'na',
  'pe',
  'ri',
  'so',
  'tu',
  'wa',
];

/** One of 65,536 words. */
export const drawnWord = (draw: (below: number) => number): string =>
  Array.from({ length: 4 }, () => SYLLABLES[draw(SYLLABLES.length)]).join('');

export const drawnWords = (draw: (below: number) => number, count: number): string[] =>
  Array.from({ length: count }, () => drawnWord(draw));

/** The share of pairs of neighbouring words in either text that are in both. */
export function trueSimilarity(one: readonly string[], other: readonly string[]): number {
  const [ones, others] = [pairsOf(one), pairsOf(other)];
  const both = [...ones].filter((pair) => others.has(pair)).length;
  return both / (ones.size + others.size - both);
}

const pairsOf = (words: readonly string[]): Set<string> =>
  new Set(words.slice(1).map((word, before) => `${words[before]} ${word}`));
