import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { stratifiedTail } from './stratified.ts';
import {
  isNotRare,
  lnChoose,
  lnGamma,
  negativeBinomialTail,
  normalTail,
  poissonTail,
  productTail,
} from './tails.ts';
import { risingTrend } from './trend.ts';

describe('tails', () => {
  test('ln gamma is exact for integers and halves', () => {
    expect(lnGamma(11)).toBeCloseTo(Math.log(3_628_800), 9);
    expect(lnGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 9);
    expect(lnGamma(0.1)).toBeCloseTo(2.252712651734206, 9);
    expect(lnChoose(49, 6)).toBeCloseTo(Math.log(13_983_816), 9);
  });

  test.each([
    [3, 1, 0.0803013970713942],
    [10, 2, 4.6498075e-5],
    [1, 0.001, 9.995001666e-4],
  ])('Poisson: %i or more of a mean of %f', (count, mean, expected) => {
    expect(poissonTail(count, mean) / expected).toBeCloseTo(1, 6);
  });

  test('a negative binomial of size 1 is geometric', () => {
    for (const [count, mean] of [
      [5, 2],
      [40, 3],
      [2, 0.1],
    ] as const)
      expect(negativeBinomialTail(count, mean, 1) / (mean / (1 + mean)) ** count).toBeCloseTo(1, 9);
  });

  test('a negative binomial of a very large size is Poisson', () => {
    expect(negativeBinomialTail(12, 4, 1e7) / poissonTail(12, 4)).toBeCloseTo(1, 4);
  });

  test('are 1 for counts up to the mean', () => {
    expect([negativeBinomialTail(4, 4, 2), poissonTail(4, 4)]).toEqual([1, 1]);
  });

  test('isNotRare implies a tail of at least the p-value, for any mean and size', () => {
    const seen = { ordinary: 0, rare: 0 };
    fc.assert(
      fc.property(
        fc.double({ min: 0.08, max: 3_000, noNaN: true }),
        fc.double({ min: 1, max: 4, noNaN: true }),
        fc.double({ min: 1.5, max: 12, noNaN: true }),
        fc.double({ min: -2, max: 8, noNaN: true }),
        fc.constantFrom(1e-4, 1e-7, 1e-9),
        (least, above, ratio, sizeDecades, pValue) => {
          const mean = least * above;
          const count = Math.ceil(mean * ratio);
          const isOrdinary = isNotRare(count, least, pValue);
          seen[isOrdinary ? 'ordinary' : 'rare'] += 1;
          if (isOrdinary)
            expect(negativeBinomialTail(count, mean, 10 ** sizeDecades)).toBeGreaterThanOrEqual(pValue);
        },
      ),
      { numRuns: 4_000 },
    );
    expect(Math.min(seen.ordinary, seen.rare)).toBeGreaterThan(200);
  });

  test.each([
    [1.959963984540054, 0.025],
    [4.264890793922825, 1e-5],
    [-1.2815515655446004, 0.9],
  ])('normal: above %f', (z, expected) => {
    expect(normalTail(z) / expected).toBeCloseTo(1, 6);
  });

  test('the product of two uniform numbers has the known distribution', () => {
    expect(productTail(Math.log(0.01), 2)).toBeCloseTo(0.01 * (1 - Math.log(0.01)), 12);
    expect(productTail(Math.log(0.3), 1)).toBeCloseTo(0.3, 12);
  });
});

describe('the stratified test', () => {
  const tea = { newTotal: 4, newElevated: 3, oldTotal: 4, oldElevated: 1 };

  test('equals Fisher’s exact test for one table: the lady tasting tea', () => {
    expect(stratifiedTail([tea])).toBeCloseTo(17 / 70, 12);
  });

  test('enumerates the sums of two tables: 16 of 70 and 1 of 70 ways, each with each', () => {
    // Sums of 6 and more from 3 + 3, 3 + 4, 4 + 3, 4 + 4; 2 + 4 and 4 + 2.
    const ways = 16 * 16 + 2 * 16 + 1 + 2 * 36;
    expect(stratifiedTail([tea, tea])).toBeCloseTo(ways / 4_900, 12);
  });

  test('does not blame a model for the sandbox in which it is used', () => {
    const risky = { newTotal: 90, newElevated: 45, oldTotal: 10, oldElevated: 5 };
    const harmless = { newTotal: 10, newElevated: 0, oldTotal: 90, oldElevated: 1 };
    const pooled = { newTotal: 100, newElevated: 45, oldTotal: 100, oldElevated: 6 };
    expect(stratifiedTail([pooled])).toBeLessThan(1e-9);
    expect(stratifiedTail([risky, harmless])).toBeGreaterThan(0.3);
  });

  test('is close to the exact test for many signals', () => {
    const half = { newTotal: 1_000, newElevated: 540, oldTotal: 1_000, oldElevated: 460 };
    const exact = stratifiedTail([half, half].map((one) => ({ ...one })).slice(0, 1));
    const large = stratifiedTail([half, half, half]);
    expect(exact).toBeGreaterThan(1e-4);
    expect(exact).toBeLessThan(5e-4);
    expect(large).toBeGreaterThan(1e-10);
    expect(large).toBeLessThan(1e-8);
  });
});

describe('the trend test', () => {
  test('matches a small table computed by hand', () => {
    // T = 5, variance = 2/9 * 20.
    expect(risingTrend([10, 10, 10], [1, 3, 6]).pValue).toBeCloseTo(normalTail(5 / Math.sqrt(40 / 9)), 12);
  });

  test('finds no rise in a falling share, nor where all or none are elevated', () => {
    expect(risingTrend([10, 10, 10], [6, 3, 1]).pValue).toBeGreaterThan(0.9);
    expect(risingTrend([10, 10], [0, 0]).pValue).toBe(1);
    expect(risingTrend([0, 10, 0], [0, 4, 0]).pValue).toBe(1);
  });

  test('finds no trend in a single outlying part', () => {
    const totals = Array.from({ length: 28 }, () => 20);
    const line = totals.map((_, part) => Math.round(part / 4));
    const spike = totals.map((_, part) => (part === 26 ? 20 : 1));
    expect(risingTrend(totals, line).pValue).toBeLessThan(1e-9);
    expect(risingTrend(totals, spike).pValue).toBeGreaterThan(1e-3);
  });

  test('distinguishes a trend from a step', () => {
    const totals = Array.from({ length: 28 }, () => 20);
    expect(
      risingTrend(
        totals,
        totals.map((_, part) => part / 4),
      ).isStep,
    ).toBe(false);
    expect(
      risingTrend(
        totals,
        totals.map((_, part) => (part < 15 ? 1 : 6)),
      ).isStep,
    ).toBe(true);
  });

  test('returns the shares of the thirds', () => {
    expect(risingTrend([4, 4, 4], [1, 2, 4]).thirds).toEqual([0.25, 0.5, 1]);
  });
});
