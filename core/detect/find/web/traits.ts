import { type Groups, literalsOf } from '../patterns/literals.ts';
import { treeOf } from '../prefilter/compile.ts';

/** One trait of an attack, and its weight. 1 is enough by itself. */
export interface Trait {
  /** Any case, quantifiers bounded. */
  readonly pattern: RegExp;
  readonly weight: number;
}

/** The combined result of the traits in one span. */
export interface Weighed {
  readonly score: number;
  /** From the first trait to the end of the last; empty without one. */
  readonly start: number;
  readonly end: number;
}

const isAnchored = ({ source }: RegExp): boolean => source.startsWith('^') || source.startsWith('(?:^');

/** Adds up the weights of a span's traits; each counts once. */
type Weigher = (plain: string) => Weighed;

/**
 * Checking literals first spares most patterns, which take up to a tenth of a millisecond where much nearly matches.
 */
const needsOf = (pattern: RegExp): Groups => literalsOf(treeOf(pattern));

const holds = (lower: string, needs: Groups): boolean =>
  needs.every((group) => group.some((literal) => lower.includes(literal)));

export function weigherOf(traits: readonly Trait[]): Weigher {
  const looks = traits.map(({ pattern, weight }) => ({
    pattern,
    weight,
    anchored: isAnchored(pattern),
    needs: needsOf(pattern),
  }));
  return (plain) => {
    const lower = plain.toLowerCase();
    let score = 0;
    let start = plain.length;
    let begin = plain.length;
    let end = 0;
    for (const { pattern, weight, anchored, needs } of looks) {
      if (!holds(lower, needs)) continue;
      const match = pattern.exec(plain);
      if (match === null) continue;
      score += weight;
      if (weight <= 0) continue;
      // What precedes this kind of trait is not part of the attack.
      if (anchored) begin = Math.min(begin, match.index);
      else start = Math.min(start, match.index);
      end = Math.max(end, match.index + match[0].length);
    }
    return { score, start: start < end ? start : Math.min(begin, end), end };
  };
}

/** Scores from here on are a finding; a little less is a hint. */
export const ENOUGH = 0.8;
const HINT = 0.7;
const SURE = 0.95;

/** 0.55 for a score that is just enough, more for a complete payload, less than 0.5 for a hint, 0 for nothing. */
export function confidenceOf(score: number): number {
  // Sums of weights, which are written in hundredths.
  const rounded = Math.round(score * 100) / 100;
  if (rounded < HINT) return 0;
  if (rounded < ENOUGH) return 0.4;
  return Math.min(SURE, 0.55 + (rounded - ENOUGH) * 0.4);
}
