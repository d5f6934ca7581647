import { expect, test } from '#jest';
import { startEarly } from './start-early.ts';

/** Records what is requested from it. */
function source(asked: string[], failure?: Error): AsyncIterable<number> {
  return (async function* () {
    try {
      for (let value = 0; value < 3; value += 1) {
        asked.push(`${value}`);
        if (failure !== undefined) throw failure;
        yield value;
      }
    } finally {
      asked.push('ended');
    }
  })();
}

async function all(values: AsyncIterable<number>): Promise<number[]> {
  const read: number[] = [];
  for await (const value of values) read.push(value);
  return read;
}

test('requests the first value before anything reads, and yields each value once', async () => {
  const asked: string[] = [];
  const values = startEarly(source(asked));
  expect(asked).toEqual(['0']);
  expect(await all(values)).toEqual([0, 1, 2]);
  expect(asked).toEqual(['0', '1', '2', 'ended']);
});

test('closes a source that is not read to the end, whether reading has started or not', async () => {
  const asked: string[] = [];
  await startEarly(source(asked)).return();
  expect(asked).toEqual(['0', 'ended']);
  for await (const value of startEarly(source(asked))) {
    expect(value).toBe(0);
    break;
  }
  expect(asked).toEqual(['0', 'ended', '0', 'ended']);
});

test('an error is kept for the reader', async () => {
  const asked: string[] = [];
  const values = startEarly(source(asked, new Error('broken')));
  // Longer than it takes to report an unhandled rejection.
  await new Promise((resolve) => setImmediate(resolve));
  await expect(values.started).rejects.toThrow('broken');
  await expect(all(values)).rejects.toThrow('broken');
  await values.return();
});
