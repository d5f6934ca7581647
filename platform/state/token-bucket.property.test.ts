import fc from 'fast-check';
import { expect, test } from '#jest';
import { fullBucket, isFull, MAX_AHEAD_MS, takeTokens } from './token-bucket.ts';

const sizes = fc.record({
  ratePerSecond: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0.01, max: 50, noNaN: true })),
  burst: fc.integer({ min: 1, max: 10_000 }),
});
const steps = fc.array(
  fc.record({ waitMs: fc.integer({ min: -500, max: 5_000 }), cost: fc.integer({ min: 0, max: 30 }) }),
  { maxLength: 200 },
);

test('a clock that is set back by an hour does not refuse requests for an hour', () => {
  const size = { ratePerSecond: 10, burst: 5 };
  let now = 10 * 3_600_000;
  let { bucket } = takeTokens(fullBucket(size, now), size, 5, now);
  now -= 3_600_000;
  ({ bucket } = takeTokens(bucket, size, 0, now));
  expect(takeTokens(bucket, size, 5, now).rate.retryAfterMs).toBeGreaterThan(0);
  now += MAX_AHEAD_MS + 500;
  expect(takeTokens(bucket, size, 5, now).rate.retryAfterMs).toBe(0);
});

test('never admits more than the burst and the rate since', () => {
  fc.assert(
    fc.property(sizes, steps, (size, calls) => {
      const begin = 1_000_000;
      let now = begin;
      let latest = begin;
      let bucket = fullBucket(size, begin);
      let admitted = 0;
      for (const { waitMs, cost } of calls) {
        // When it is set back by more than a second, it restarts from there; see below.
        now = Math.max(latest - MAX_AHEAD_MS, now + waitMs);
        latest = Math.max(latest, now);
        const taken = takeTokens(bucket, size, cost, now);
        bucket = taken.bucket;
        if (taken.rate.retryAfterMs === 0) admitted += cost;
        // Tolerance for non-integer rates.
        expect(admitted).toBeLessThanOrEqual(
          size.burst + (size.ratePerSecond * (latest - begin)) / 1_000 + 1e-6,
        );
        expect(Number.isInteger(taken.rate.remaining)).toBe(true);
        expect(taken.rate.remaining).toBeGreaterThanOrEqual(0);
        expect(taken.rate.remaining).toBeLessThanOrEqual(size.burst);
        expect(taken.rate.resetAt).toBeGreaterThanOrEqual(now);
      }
    }),
  );
});

test('a refused cost is admitted at the stated time, and no millisecond sooner', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 30 }), fc.nat(5_000), (size, spent, waitMs) => {
      const spend = Math.min(spent, size.burst);
      const before = takeTokens(fullBucket(size, 0), size, spend, 0).bucket;
      const cost = Math.min(size.burst, 30);
      const { bucket, rate } = takeTokens(before, size, cost, waitMs);
      fc.pre(rate.retryAfterMs > 0 && rate.retryAfterMs < 24 * 3_600_000);
      const at = waitMs + rate.retryAfterMs;
      // Non-integer rates are off by at most a millisecond, either way.
      const slackMs = Number.isInteger(size.ratePerSecond) ? 0 : 1;
      const sooner = at - 1 - slackMs;
      if (sooner >= waitMs) {
        expect(takeTokens(bucket, size, cost, sooner).rate.retryAfterMs).toBeGreaterThan(0);
      }
      expect(takeTokens(bucket, size, cost, at + slackMs).rate.retryAfterMs).toBe(0);
    }),
  );
});

test('is full again at the stated time', () => {
  const size = { ratePerSecond: 3, burst: 10 };
  const { bucket, rate } = takeTokens(fullBucket(size, 0), size, 10, 0);
  expect(rate).toEqual({ limit: 10, remaining: 0, resetAt: 3_334, retryAfterMs: 0 });
  expect(isFull(bucket, size, 3_333)).toBe(false);
  expect(isFull(bucket, size, 3_334)).toBe(true);
});

test('a cost above the burst is refused with a finite wait', () => {
  const size = { ratePerSecond: 0, burst: 5 };
  expect(takeTokens(fullBucket(size, 0), size, 6, 0).rate).toMatchObject({ remaining: 5, retryAfterMs: 1 });
  const empty = takeTokens(fullBucket(size, 0), size, 5, 0).bucket;
  expect(takeTokens(empty, size, 1, 0).rate.retryAfterMs).toBe(24 * 3_600_000);
});
