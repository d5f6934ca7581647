import { normalTail } from './tails.ts';

/** The slope of a share over time, and the probability of one as steep by chance. */
interface Trend {
  readonly pValue: number;
  /** A single step explains the parts better than a line does. */
  readonly isStep: boolean;
  /** Share in the first, second and last third of the time; NaN without signals. */
  readonly thirds: readonly [number, number, number];
}

/**
 * One-sided test that the share of elevated signals rises from part to part: the Cochran-Armitage trend test (Armitage
 * 1955) with part numbers as scores. Signals arrive in clumps, so the variance is multiplied by Pearson's chi-square of
 * the residuals from a line divided by its degrees of freedom, if that is above 1 (quasi-likelihood, McCullagh and
 * Nelder 1989, section 4.5): a single outlying part weakens the test instead of making a trend.
 */
export function risingTrend(totals: readonly number[], elevated: readonly number[]): Trend {
  let all = 0;
  let hits = 0;
  let first = 0;
  let second = 0;
  for (let part = 0; part < totals.length; part += 1) {
    all += totals[part]!;
    hits += elevated[part]!;
    first += totals[part]! * part;
    second += totals[part]! * part * part;
  }
  const thirds = thirdsOf(totals, elevated);
  const share = hits / all;
  const spread = second - (first * first) / all;
  if (!(share > 0 && share < 1) || spread <= 0) return { pValue: 1, thirds, isStep: false };
  const middle = first / all;
  let slope = 0;
  for (let part = 0; part < totals.length; part += 1) slope += elevated[part]! * (part - middle);
  slope /= spread;
  const unit = share * (1 - share);
  let residue = 0;
  let parts = 0;
  for (let part = 0; part < totals.length; part += 1) {
    const total = totals[part]!;
    if (total === 0) continue;
    const rest = elevated[part]! - total * (share + slope * (part - middle));
    residue += (rest * rest) / (total * unit);
    parts += 1;
  }
  const dispersion = parts > 2 ? Math.max(1, residue / (parts - 2)) : 1;
  const pValue = normalTail((slope * spread) / Math.sqrt(unit * spread * dispersion));
  return { pValue, thirds, isStep: residueOfStep(totals, elevated) / unit < residue };
}

/** The smallest residue of a share with a single step: sum over the parts of (elevated - expected)^2 / total. */
function residueOfStep(totals: readonly number[], elevated: readonly number[]): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let step = 1; step < totals.length; step += 1) {
    const residue = residueOf(totals, elevated, 0, step) + residueOf(totals, elevated, step, totals.length);
    if (residue < smallest) smallest = residue;
  }
  return smallest;
}

function residueOf(totals: readonly number[], elevated: readonly number[], from: number, to: number): number {
  const share = shareOf(totals, elevated, from, to);
  let residue = 0;
  for (let part = from; part < to; part += 1) {
    const total = totals[part]!;
    if (total === 0) continue;
    const rest = elevated[part]! - total * share;
    residue += (rest * rest) / total;
  }
  return residue;
}

function shareOf(totals: readonly number[], elevated: readonly number[], from: number, to: number): number {
  let all = 0;
  let hits = 0;
  for (let part = from; part < to; part += 1) {
    all += totals[part]!;
    hits += elevated[part]!;
  }
  return hits / all;
}

function thirdsOf(totals: readonly number[], elevated: readonly number[]): [number, number, number] {
  const [one, two] = [Math.round(totals.length / 3), Math.round((2 * totals.length) / 3)];
  return [
    shareOf(totals, elevated, 0, one),
    shareOf(totals, elevated, one, two),
    shareOf(totals, elevated, two, totals.length),
  ];
}
