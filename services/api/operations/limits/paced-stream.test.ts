import { once } from 'node:events';
import { setTimeout as after, setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '#jest';
import { pacedStream } from './paced-stream.ts';

const PIECE = Buffer.alloc(64 * 1024);
/** Chunks that may be produced and not yet read: the buffer of 128 KiB, one that overfills it, and one in flight. */
const MAX_AHEAD = 4;
/** Never gives up on a reader. */
const PATIENT = { windowMs: 60_000, leastBytes: 1 };

/** Endless content that counts the requested chunks. */
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

test('a paced stream produces no more than its reader takes', async () => {
  const { seen, content } = endless();
  const stream = pacedStream(content, { pace: PATIENT, onClose: () => {} });
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

test('a paced stream starts nothing before it is read', async () => {
  const { seen, content } = endless();
  let closed = 0;
  const stream = pacedStream(content, { pace: PATIENT, onClose: () => closed++ });
  await settled();
  stream.destroy();
  await once(stream, 'close');
  expect([seen.made, closed]).toEqual([0, 1]);
});

test('a reader that takes nothing is given up', async () => {
  const { seen, content } = endless();
  let closed = 0;
  const stream = pacedStream(content, { pace: { windowMs: 20, leastBytes: 1 }, onClose: () => closed++ });
  stream.read(0);
  const [error] = (await once(stream, 'error')) as [Error];
  expect(error.message).toBe('the client read 0 bytes in 0.02 s; the minimum is 1');
  expect([seen.returned, closed, stream.destroyed]).toEqual([1, 1, true]);
});

test('a reader that takes a little now and then is given up', async () => {
  const { content } = endless();
  const pace = { windowMs: 40, leastBytes: 10_000 * PIECE.length };
  const stream = pacedStream(content, { pace, onClose: () => {} });
  const failed = once(stream, 'error');
  let reads = 0;
  while (!stream.destroyed) {
    // Reading one chunk is enough to have the next one produced.
    if (stream.read(PIECE.length) !== null) reads++;
    await after(1);
  }
  const [error] = (await failed) as [Error];
  expect(error.message).toMatch(/^the client read \d+ bytes in 0\.04 s; the minimum is 655360000$/);
  expect(reads).toBeGreaterThan(0);
});

test('a reader’s progress within a long chunk counts', async () => {
  const long = Buffer.alloc(64 * PIECE.length);
  const content = (async function* () {
    yield long;
    yield long;
  })();
  const pace = { windowMs: 20, leastBytes: 1 };
  const stream = pacedStream(content, { pace, onClose: () => {} });
  let read = 0;
  // Like a response: chunk by chunk, each after the one before is gone.
  stream.on('data', (chunk: Buffer) => {
    read += chunk.length;
    stream.pause();
    setTimeout(() => stream.resume(), 2);
  });
  await once(stream, 'end');
  expect(read).toBe(2 * long.length);
});

test('a reader that waits for the content is not given up', async () => {
  const pace = { windowMs: 10, leastBytes: 1024 * PIECE.length };
  const content = (async function* () {
    for (let piece = 0; piece < 5; piece++) {
      await after(3 * pace.windowMs);
      yield PIECE;
    }
  })();
  const stream = pacedStream(content, { pace, onClose: () => {} });
  let read = 0;
  for await (const chunk of stream) read += (chunk as Buffer).length;
  expect(read).toBe(5 * PIECE.length);
});

test('a failure is reported, and closes the stream once', async () => {
  let closed = 0;
  const content = (async function* () {
    yield PIECE;
    throw new Error('boom');
  })();
  const stream = pacedStream(content, { pace: PATIENT, onClose: () => closed++ });
  const reading = (async () => {
    for await (const _ of stream);
  })();
  await expect(reading).rejects.toThrow('boom');
  expect(closed).toBe(1);
});

test('a paced stream ends with its content', async () => {
  let closed = 0;
  const content = (async function* () {
    yield Buffer.from('a');
    yield Buffer.alloc(0);
    yield Buffer.from('b');
  })();
  const stream = pacedStream(content, { pace: PATIENT, onClose: () => closed++ });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  expect([Buffer.concat(chunks).toString(), closed]).toEqual(['ab', 1]);
});
