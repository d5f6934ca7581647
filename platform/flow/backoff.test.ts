import fc from 'fast-check';
import { expect, test } from '#jest';
import { pauseAfter } from './backoff.ts';

test('pauses double up to their limit and stay there, however many failures follow', () => {
  const backoff = { firstMs: 100, maxMs: 5_000 };
  const pauses = [0, 1, 2, 5, 6, 5_000].map((failures) => pauseAfter(backoff, failures));
  expect(pauses).toEqual([100, 200, 400, 3_200, 5_000, 5_000]);
});

test('randomness shortens a pause by less than half and never lengthens it; without it pauses are exact', () => {
  const cases = fc.record({
    firstMs: fc.integer({ min: 1, max: 1_000 }),
    maxMs: fc.integer({ min: 1_000, max: 60_000 }),
    failures: fc.integer({ min: 0, max: 2_000 }),
    drawn: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  fc.assert(
    fc.property(cases, ({ firstMs, maxMs, failures, drawn }) => {
      const full = pauseAfter({ firstMs, maxMs }, failures);
      const spread = pauseAfter({ firstMs, maxMs, random: () => drawn }, failures);
      expect(full).toBeLessThanOrEqual(maxMs);
      expect(spread).toBeGreaterThanOrEqual(full / 2);
      expect(spread).toBeLessThanOrEqual(full);
    }),
  );
});
