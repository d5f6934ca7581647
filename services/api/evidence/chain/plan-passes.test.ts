import { describe, expect, test } from '#jest';
import { incrementalPasses, modeOf, rangePass } from './plan-passes.ts';

test('by default a short ledger is verified in full and a long one incrementally', () => {
  expect([0, 200_000, 200_001].map((size) => modeOf({}, size))).toEqual(['full', 'full', 'incremental']);
  expect(modeOf({ mode: 'full' }, 1e9)).toBe('full');
});

test('a range is verified in whole blocks, up to the end if it reaches it', () => {
  expect(rangePass({ fromIndex: 300, toIndex: 520 }, 10_000)).toEqual({ from: 256, to: 767 });
  expect(rangePass({ fromIndex: 0, toIndex: 0 }, 10_000)).toEqual({ from: 0, to: 255 });
  expect(rangePass({ toIndex: 9_990 }, 10_000)).toEqual({ from: 0, to: null });
  expect(rangePass({ fromIndex: 512 }, 10_000)).toEqual({ from: 512, to: null });
});

describe('an incremental verification', () => {
  const plan = (verified: { size: number; broken: number | null }, size: number, signedSize: number) => {
    const drawn = [0.1, 0.5, 0.5, 0.99];
    return incrementalPasses(verified, { size, signedSize, random: () => drawn.shift() ?? 0 });
  };

  test('covers new entries from the last signed one on, and random blocks before', () => {
    expect(plan({ size: 10_240, broken: null }, 12_000, 10_240)).toEqual([
      { from: 768, to: 1_023 },
      { from: 4_864, to: 5_119 },
      { from: 9_728, to: 9_983 },
      { from: 9_984, to: null },
    ]);
    expect(plan({ size: 10_240, broken: null }, 12_000, 300).at(-1)).toEqual({ from: 256, to: null });
  });

  test('checks the last known fault again', () => {
    expect(plan({ size: 10_240, broken: 2_000 }, 12_000, 10_240)).toContainEqual({ from: 1_792, to: 2_047 });
  });

  test('covers the whole ledger if it was never verified or has become shorter', () => {
    expect(plan({ size: 0, broken: null }, 12_000, 9_000)).toEqual([{ from: 0, to: null }]);
    expect(plan({ size: 12_001, broken: 7 }, 12_000, 12_001)).toEqual([{ from: 0, to: null }]);
  });
});
