import { describe, expect, test } from '#jest';
import { MAX_AHEAD_BYTES, readAhead } from './read-ahead.ts';

/** Blocks of these sizes; then it ends, or fails. `made`: how many were asked for. */
function blocksOf(sizes: readonly number[], failure?: Error) {
  const told = { made: 0, isClosed: false };
  async function* make(): AsyncGenerator<Uint8Array> {
    try {
      for (const size of sizes) {
        told.made += 1;
        yield new Uint8Array(size);
      }
      told.made += 1;
      if (failure !== undefined) throw failure;
    } finally {
      told.isClosed = true;
    }
  }
  return { told, blocks: make() };
}

describe('blocks of a result', () => {
  test('are the same, the next of a small one made while it is sent, that of a large one behind it', async () => {
    const sizes = [1, 2, MAX_AHEAD_BYTES + 1, MAX_AHEAD_BYTES];
    const { told, blocks } = blocksOf(sizes);
    const seen: [number, number][] = [];
    for await (const block of readAhead(blocks)) {
      await new Promise(setImmediate);
      seen.push([block.length, told.made]);
    }
    expect(seen).toEqual([
      [1, 2],
      [2, 3],
      [MAX_AHEAD_BYTES + 1, 3],
      [MAX_AHEAD_BYTES, 5],
    ]);
    expect(told.isClosed).toBe(true);
  });

  test('fail behind those that were made before', async () => {
    const { blocks } = blocksOf([1, 2], new Error('it failed'));
    const seen: number[] = [];
    const reading = (async () => {
      for await (const block of readAhead(blocks)) {
        await new Promise(setImmediate);
        seen.push(block.length);
      }
    })();
    await expect(reading).rejects.toThrow('it failed');
    expect(seen).toEqual([1, 2]);
  });

  test('are let go when their reader leaves', async () => {
    const { told, blocks } = blocksOf([1, 2, 3]);
    for await (const _ of readAhead(blocks)) break;
    expect(told).toEqual({ made: 2, isClosed: true });
  });
});
