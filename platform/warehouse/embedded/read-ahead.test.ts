import { describe, expect, test } from '#jest';
import { MAX_AHEAD_BYTES, readAhead } from './read-ahead.ts';

/** Yields blocks of these sizes, then ends or fails. `made`: how many blocks were requested. */
function blocksOf(sizes: readonly number[], failure?: Error) {
  const state = { made: 0, isClosed: false };
  async function* make(): AsyncGenerator<Uint8Array> {
    try {
      for (const size of sizes) {
        state.made += 1;
        yield new Uint8Array(size);
      }
      state.made += 1;
      if (failure !== undefined) throw failure;
    } finally {
      state.isClosed = true;
    }
  }
  return { state, blocks: make() };
}

describe('read-ahead of a result’s blocks', () => {
  test('yields the same blocks, producing the next one early only after a small block', async () => {
    const sizes = [1, 2, MAX_AHEAD_BYTES + 1, MAX_AHEAD_BYTES];
    const { state, blocks } = blocksOf(sizes);
    const seen: [number, number][] = [];
    for await (const block of readAhead(blocks)) {
      await new Promise(setImmediate);
      seen.push([block.length, state.made]);
    }
    expect(seen).toEqual([
      [1, 2],
      [2, 3],
      [MAX_AHEAD_BYTES + 1, 3],
      [MAX_AHEAD_BYTES, 5],
    ]);
    expect(state.isClosed).toBe(true);
  });

  test('throws an error after the blocks that were produced before it', async () => {
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

  test('closes the source when the reader leaves', async () => {
    const { state, blocks } = blocksOf([1, 2, 3]);
    for await (const _ of readAhead(blocks)) break;
    expect(state).toEqual({ made: 2, isClosed: true });
  });
});
