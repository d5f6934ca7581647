import { type Groups, literalsOf } from '../patterns/literals.ts';
import { treeOf } from '../prefilter/compile.ts';

/** A trait of an attack with its weight; a weight of 1 is enough by itself. */
export interface Trait {
  /** Case-insensitive, with bounded quantifiers. */
  readonly pattern: RegExp;
  readonly weight: number;
}

/** The combined result of the traits in one span. */
export interface Weighed {
  readonly score: number;
  /** From the start of the first trait to the end of the last one; empty if there are none. */
  readonly start: number;
  readonly end: number;
}

const isAnchored = ({ source }: RegExp): boolean => source.startsWith('^') || source.startsWith('(?:^');

/** Adds up the weights of the traits in a span; each counts once. */
type Weigher = (plain: string) => Weighed;

/** Checking literals first skips most patterns, which take up to a tenth of a millisecond on near matches. */
const needsOf = (pattern: RegExp): Groups => literalsOf(treeOf(pattern));

const contains = (lower: string, needs: Groups): boolean =>
  needs.every((group) => group.some((literal) => lower.includes(literal)));

export function weigherOf(traits: readonly Trait[]): Weigher {
  const compiled = traits.map(({ pattern, weight }) => ({
    pattern,
    weight,
    anchored: isAnchored(pattern),
    needs: needsOf(pattern),
  }));
  return (plain) => {
    const lower = plain.toLowerCase();
    let score = 0;
    let start = plain.length;
    let first = plain.length;
    let end = 0;
    for (const { pattern, weight, anchored, needs } of compiled) {
      if (!contains(lower, needs)) continue;
      const match = pattern.exec(plain);
      if (match === null) continue;
      score += weight;
      if (weight <= 0) continue;
      // The text before this kind of trait is not part of the attack.
      if (anchored) first = Math.min(first, match.index);
      else start = Math.min(start, match.index);
      end = Math.max(end, match.index + match[0].length);
    }
    return { score, start: start < end ? start : Math.min(first, end), end };
  };
}

/** Minimum score of a match; slightly lower scores are hints. */
export const ENOUGH = 0.8;
const HINT = 0.7;
const SURE = 0.95;

/** 0.55 for a score that is just enough, more for a complete payload, below 0.5 for a hint, 0 for nothing. */
export function confidenceOf(score: number): number {
  // Weights are multiples of 0.01, so rounding removes floating-point errors.
  const rounded = Math.round(score * 100) / 100;
  if (rounded < HINT) return 0;
  if (rounded < ENOUGH) return 0.4;
  return Math.min(SURE, 0.55 + (rounded - ENOUGH) * 0.4);
}
