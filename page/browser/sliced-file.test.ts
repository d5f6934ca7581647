import { expect, test } from '#jest';
import { slicedFile } from './sliced-file.ts';

const MIB = 1024 * 1024;
const content = Uint8Array.from({ length: 3 * MIB + 100 }, (_, at) => (at * 31) % 251);

/** A file that counts the bytes read, and the page's callbacks. */
function watched() {
  const sizes: number[] = [];
  const blob = new Blob([content]);
  const file = {
    size: blob.size,
    slice: (from: number, to: number) => {
      sizes.push(to - from);
      return blob.slice(from, to);
    },
  } as Blob;
  const stop = new AbortController();
  const seen = { read: 0, turns: 0 };
  const source = slicedFile(file, {
    giveWay: async () => {
      seen.turns += 1;
    },
    onRead: (bytes) => {
      seen.read += bytes;
    },
    stop: stop.signal,
  });
  return { sizes, stop, seen, source };
}

test('consecutive pieces are read in blocks of one MiB, and no more is in memory', async () => {
  const { sizes, seen, source } = watched();
  const piece = 32 * 1024;
  for (let at = 0; at < source.size; at += piece) {
    const until = Math.min(at + piece, source.size);
    expect(Buffer.from(await source.read(at, until)).equals(content.subarray(at, until))).toBe(true);
  }
  expect(sizes).toEqual([MIB, MIB, MIB, MIB]);
  expect(seen).toEqual({ read: content.length, turns: Math.ceil(content.length / piece) });
});

test('bytes across two blocks, before the last one, and of zero length match the file', async () => {
  const { source } = watched();
  for (const [from, to] of [
    [MIB - 10, MIB + 10],
    [5, 20],
    [0, 0],
    [2 * MIB, 2 * MIB + 22],
    [MIB, 3 * MIB],
  ] as const)
    expect(Buffer.from(await source.read(from, to)).equals(content.subarray(from, to))).toBe(true);
});

test('returns fewer bytes than requested beyond the end, which the verifier rejects', async () => {
  const { source } = watched();
  expect(await source.read(source.size - 4, source.size + 4)).toHaveLength(4);
});

test('a piece stays unchanged when the next block is read', async () => {
  const { source } = watched();
  const first = await source.read(0, 10);
  await source.read(2 * MIB, 2 * MIB + 10);
  expect(Buffer.from(first).equals(content.subarray(0, 10))).toBe(true);
});

test('reads nothing once stopped', async () => {
  const { source, stop, sizes } = watched();
  stop.abort();
  await expect(source.read(0, 10)).rejects.toThrow();
  expect(sizes).toEqual([]);
});
