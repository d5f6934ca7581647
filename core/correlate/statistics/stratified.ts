import { lnChoose, normalTail } from './tails.ts';

/** One 2 x 2 table: all signals and elevated ones, of the new models and of the old ones. */
export interface Stratum {
  readonly newTotal: number;
  readonly newElevated: number;
  readonly oldTotal: number;
  readonly oldElevated: number;
}

/** Possible counts over all tables up to which the exact distribution is computed. */
const MAX_EXACT = 2_000;

/**
 * One-sided test that the new models have a larger share of elevated signals than the old ones, given the share in each
 * stratum. With one table it is Fisher's exact test (1935); with several it is the exact conditional test of a common
 * odds ratio of 1 (Gart 1970), whose statistic is the sum of independent hypergeometric counts. Above `MAX_EXACT`
 * possible counts it is the Cochran-Mantel-Haenszel test with continuity correction (Mantel and Haenszel 1959), to
 * which the exact one converges. Strata keep a new model from being blamed for the sandboxes in which it is used.
 */
export function stratifiedTail(strata: readonly Stratum[]): number {
  let observed = 0;
  let possible = 0;
  for (const { newTotal, newElevated, oldElevated } of strata) {
    observed += newElevated;
    possible += Math.min(newTotal, newElevated + oldElevated);
  }
  return possible > MAX_EXACT ? mantelHaenszelTail(strata, observed) : exactTail(strata, observed);
}

function exactTail(strata: readonly Stratum[], observed: number): number {
  let sums = [1];
  for (const stratum of strata) sums = convolved(sums, hypergeometric(stratum));
  let tail = 0;
  for (let sum = sums.length - 1; sum >= observed; sum -= 1) tail += sums[sum]!;
  return Math.min(1, tail);
}

/** Probabilities of 0, 1, ... elevated signals among the new ones under random assignment within the table. */
function hypergeometric({ newTotal, newElevated, oldTotal, oldElevated }: Stratum): number[] {
  const elevated = newElevated + oldElevated;
  const maxElevated = Math.min(newTotal, elevated);
  const lnAll = lnChoose(newTotal + oldTotal, newTotal);
  return Array.from({ length: maxElevated + 1 }, (_, count) =>
    newTotal - count > newTotal + oldTotal - elevated
      ? 0
      : Math.exp(
          lnChoose(elevated, count) + lnChoose(newTotal + oldTotal - elevated, newTotal - count) - lnAll,
        ),
  );
}

function convolved(one: readonly number[], other: readonly number[]): number[] {
  const sums = new Array<number>(one.length + other.length - 1).fill(0);
  for (let i = 0; i < one.length; i += 1)
    for (let j = 0; j < other.length; j += 1) sums[i + j] = sums[i + j]! + one[i]! * other[j]!;
  return sums;
}

function mantelHaenszelTail(strata: readonly Stratum[], observed: number): number {
  let mean = 0;
  let variance = 0;
  for (const { newTotal, newElevated, oldTotal, oldElevated } of strata) {
    const all = newTotal + oldTotal;
    const elevated = newElevated + oldElevated;
    mean += (newTotal * elevated) / all;
    variance += (newTotal * oldTotal * elevated * (all - elevated)) / (all * all * (all - 1));
  }
  if (variance <= 0) return 1;
  return normalTail((observed - mean - 0.5) / Math.sqrt(variance));
}
