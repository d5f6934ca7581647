/** Upper tail probabilities. The relative error is about 1e-10, far below what their use requires. */

/** Lanczos' approximation with g = 7 and nine terms (Press et al., Numerical Recipes, 3rd edition, section 6.1). */
const LANCZOS_G = 7;
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
const HALF_LN_2PI = 0.5 * Math.log(2 * Math.PI);

/** ln(gamma(x)) for x > 0. */
export function lnGamma(x: number): number {
  // The series is inaccurate below one half: use the recurrence once.
  if (x < 0.5) return lnGamma(x + 1) - Math.log(x);
  const z = x - 1;
  let sum = LANCZOS[0]!;
  for (let term = 1; term < LANCZOS.length; term += 1) sum += LANCZOS[term]! / (z + term);
  const t = z + LANCZOS_G + 0.5;
  return HALF_LN_2PI + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

export const lnChoose = (n: number, k: number): number =>
  lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1);

/** A sum ends at the first term below this share of it. */
const NEGLIGIBLE = 1e-12;

/**
 * P(X >= count) of a negative binomial with mean > 0 and size r: its variance is mean + mean^2 / r. Returns 1 for
 * counts up to the mean.
 */
export function negativeBinomialTail(count: number, mean: number, size: number): number {
  if (count <= mean) return 1;
  const share = mean / (mean + size);
  let term = Math.exp(
    lnGamma(count + size) -
      lnGamma(size) -
      lnGamma(count + 1) +
      size * Math.log1p(-share) +
      count * Math.log(share),
  );
  let sum = 0;
  for (let at = count; term > sum * NEGLIGIBLE; at += 1) {
    sum += term;
    term *= (share * (at + size)) / (at + 1);
  }
  return Math.min(1, sum);
}

/** Safety factor on the probability. */
const SPARE = 10;

/**
 * Whether the upper tail of a negative binomial is certain not to be below `pValue`, for a count above its mean, where
 * only a lower bound (`least`) of the mean is known. Uses the probability of exactly that count in a Poisson
 * distribution with that mean, whose tail is the thinnest, with a safety factor.
 */
export const isNotRare = (count: number, least: number, pValue: number): boolean =>
  count * Math.log(least) - least - lnGamma(count + 1) > Math.log(pValue * SPARE);

/** P(X >= count) of a Poisson distribution with mean > 0; 1 for counts up to the mean. */
export function poissonTail(count: number, mean: number): number {
  if (count <= mean) return 1;
  let term = Math.exp(count * Math.log(mean) - mean - lnGamma(count + 1));
  let sum = 0;
  for (let at = count; term > sum * NEGLIGIBLE; at += 1) {
    sum += term;
    term *= mean / (at + 1);
  }
  return Math.min(1, sum);
}

/**
 * P(Z >= z) of the standard normal distribution: erfc by Chebyshev fitting (Numerical Recipes, erfcc). The relative
 * error is below 1.2e-7 everywhere, including far tails.
 */
export function normalTail(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  const tail =
    (t / 2) *
    Math.exp(
      -x * x -
        1.26551223 +
        t *
          (1.00002368 +
            t *
              (0.37409196 +
                t *
                  (0.09678418 +
                    t *
                      (-0.18628806 +
                        t *
                          (0.27886807 +
                            t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277)))))))),
    );
  return z >= 0 ? tail : 1 - tail;
}

/**
 * P(product of `factors` independent uniform numbers <= t): Fisher's method of combining p-values (Statistical Methods
 * for Research Workers, 1932), in the closed form of chi-square with an even number of degrees of freedom. `lnProduct`
 * = ln t <= 0.
 */
export function productTail(lnProduct: number, factors: number): number {
  let term = 1;
  let sum = 0;
  for (let at = 0; at < factors; at += 1) {
    sum += term;
    term *= -lnProduct / (at + 1);
  }
  return Math.min(1, Math.exp(lnProduct) * sum);
}
