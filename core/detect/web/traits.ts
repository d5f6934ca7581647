/** One sign of an attack, and how much it says. 1 is enough by itself. */
export interface Trait {
  /** Any case, quantifiers bounded. */
  readonly pattern: RegExp;
  readonly weight: number;
}

/** What the signs in one stretch say together. */
export interface Weighed {
  readonly score: number;
  /** From the first sign to the end of the last; empty without one. */
  readonly start: number;
  readonly end: number;
}

const isAnchored = ({ source }: RegExp): boolean => source.startsWith('^') || source.startsWith('(?:^');

/** Adds up the traits that a stretch has; each counts once. */
export function weigh(plain: string, traits: readonly Trait[]): Weighed {
  let score = 0;
  let start = plain.length;
  let anchored = plain.length;
  let end = 0;
  for (const { pattern, weight } of traits) {
    const match = pattern.exec(plain);
    if (match === null) continue;
    score += weight;
    if (weight <= 0) continue;
    // What stands before a sign of this kind is no part of the attack.
    if (!isAnchored(pattern)) start = Math.min(start, match.index);
    else anchored = Math.min(anchored, match.index);
    end = Math.max(end, match.index + match[0].length);
  }
  return { score, start: start < end ? start : Math.min(anchored, end), end };
}

/** Scores from here on are a find; a little less is a hint. */
export const ENOUGH = 0.8;
const HINT = 0.7;
const SURE = 0.95;

/** 0.55 for a score that is just enough, more for a complete payload, less than 0.5 for a hint, 0 for nothing. */
export function confidenceOf(score: number): number {
  // Sums of weights that are written in hundredths.
  const rounded = Math.round(score * 100) / 100;
  if (rounded < HINT) return 0;
  if (rounded < ENOUGH) return 0.4;
  return Math.min(SURE, 0.55 + (rounded - ENOUGH) * 0.4);
}
