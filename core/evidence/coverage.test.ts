import fc from 'fast-check';
import { expect, test } from '#jest';
import { type CheckedPiece, coverageOf, withPiece } from './coverage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('coverage is the share of entries re-hashed in the last day', () => {
  const half = withPiece([], { from: 0, to: 50, at: 0 });
  expect(coverageOf(half, 100, DAY_MS - 1)).toBe(0.5);
  expect(coverageOf(half, 100, DAY_MS)).toBe(0);
  expect(coverageOf(half, 40, 0)).toBe(1);
  expect(coverageOf([], 0, 0)).toBe(1);
  const all = withPiece(half, { from: 40, to: 100, at: 2 * HOUR_MS });
  expect(coverageOf(all, 100, DAY_MS - 1)).toBe(1);
  expect(coverageOf(all, 100, DAY_MS)).toBe(0.6);
});

test('adjacent pieces of about the same time are merged, with the older time', () => {
  const pieces = withPiece(withPiece([], { from: 0, to: 10, at: 5 }), { from: 10, to: 20, at: 9 });
  expect(pieces).toEqual([{ from: 0, to: 20, at: 5 }]);
});

test('coverage is never overstated, with at most 64 pieces', () => {
  const piece = fc.record({
    from: fc.integer({ min: 0, max: 300 }),
    length: fc.integer({ min: 0, max: 40 }),
    later: fc.integer({ min: 0, max: DAY_MS / 3 }),
  });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 120 }), (drawn) => {
      const size = 320;
      const times = new Array<number>(size).fill(Number.NEGATIVE_INFINITY);
      let pieces: CheckedPiece[] = [];
      let now = 0;
      for (const { from, length, later } of drawn) {
        now += later;
        pieces = withPiece(pieces, { from, to: from + length, at: now });
        for (let index = from; index < Math.min(size, from + length); index += 1) times[index] = now;
      }
      expect(pieces.length).toBeLessThanOrEqual(64);
      const really = times.filter((at) => now - at < DAY_MS).length / size;
      expect(coverageOf(pieces, size, now)).toBeLessThanOrEqual(really + 1e-9);
    }),
  );
});
