import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { pacedStream } from './paced-stream.ts';

const PIECE = Buffer.alloc(64 * 1024);
/** Pieces that may be made and not yet read: the buffer of 128 KiB, one that fills it over, and one under way. */
const MAX_AHEAD = 4;

/** An endless content that counts what was asked of it. */
function endless() {
  const seen = { made: 0, returned: 0 };
  const content: AsyncIterable<Buffer> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        seen.made++;
        return { done: false, value: PIECE };
      },
      return: async () => {
        seen.returned++;
        return { done: true, value: undefined };
      },
    }),
  };
  return { seen, content };
}

const settled = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) await turn();
};

test('makes no more than its reader takes, whatever there is', async () => {
  const { seen, content } = endless();
  const stream = pacedStream(content, { stallMs: 60_000, onClose: () => {} });
  let read = 0;
  for (let round = 0; round < 200; round++) {
    await settled();
    expect(seen.made - read).toBeLessThanOrEqual(MAX_AHEAD);
    if (stream.read(PIECE.length) !== null) read++;
  }
  expect(read).toBeGreaterThan(150);
  stream.destroy();
  await once(stream, 'close');
});

test('starts nothing before it is read', async () => {
  const { seen, content } = endless();
  let closed = 0;
  const stream = pacedStream(content, { stallMs: 60_000, onClose: () => closed++ });
  await settled();
  stream.destroy();
  await once(stream, 'close');
  expect([seen.made, closed]).toEqual([0, 1]);
});

test('gives a reader up that takes nothing', async () => {
  const { seen, content } = endless();
  let closed = 0;
  const stream = pacedStream(content, { stallMs: 20, onClose: () => closed++ });
  stream.read(0);
  const [error] = (await once(stream, 'error')) as [Error];
  expect(error.message).toBe('the reader took nothing for 0.02 s');
  expect([seen.returned, closed, stream.destroyed]).toEqual([1, 1, true]);
});

test('tells of a failure, and closes once', async () => {
  let closed = 0;
  const content = (async function* () {
    yield PIECE;
    throw new Error('boom');
  })();
  const stream = pacedStream(content, { stallMs: 60_000, onClose: () => closed++ });
  const reading = (async () => {
    for await (const _ of stream);
  })();
  await expect(reading).rejects.toThrow('boom');
  expect(closed).toBe(1);
});

test('ends with its content', async () => {
  let closed = 0;
  const content = (async function* () {
    yield Buffer.from('a');
    yield Buffer.alloc(0);
    yield Buffer.from('b');
  })();
  const stream = pacedStream(content, { stallMs: 60_000, onClose: () => closed++ });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  expect([Buffer.concat(chunks).toString(), closed]).toEqual(['ab', 1]);
});
