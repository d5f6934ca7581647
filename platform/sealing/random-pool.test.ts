import { describe, expect, test } from '#jest';
import { createRandomPool } from './random-pool.ts';

/** Fills with a counter, so that the origin of every byte is known. */
function countingFill(): { fill: (pool: Buffer) => void; fills: Buffer[] } {
  let next = 0;
  const fills: Buffer[] = [];
  return {
    fills,
    fill: (pool) => {
      for (let at = 0; at < pool.length; at += 4) pool.writeUInt32BE(++next, at);
      fills.push(pool);
    },
  };
}

describe('random bytes from a pool', () => {
  test('no byte is returned twice, and returned bytes are wiped from the pool', () => {
    const { fill, fills } = countingFill();
    const random = createRandomPool(fill);
    const seen = new Set<string>();
    let count = 0;
    while (fills.length < 3) {
      seen.add(random(44).toString('hex'));
      count += 1;
      expect(
        fills
          .at(-1)
          ?.subarray(0, 44)
          .every((byte) => byte === 0),
      ).toBe(true);
    }
    expect(seen.size).toBe(count);
    expect([...seen].some((bytes) => /^0+$/.test(bytes))).toBe(false);
  });

  test('sizes are exact, even beyond the pool, and the pool never changes the caller’s bytes', () => {
    const random = createRandomPool();
    expect([0, 1, 12, 32, 20_000].map((size) => random(size).length)).toEqual([0, 1, 12, 32, 20_000]);
    const kept = random(32);
    const copy = Buffer.from(kept);
    for (let round = 0; round < 2_000; round += 1) random(32);
    expect(kept).toEqual(copy);
  });
});
