import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { MIB } from '#schemas/api/contract.ts';
import { type Input, openInput, UnreadableInput } from './open-input.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'open-input-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const LINES = Buffer.from('{"prompt":"a"}\n{"prompt":"ż"}\n');

async function textOf({ chunks }: Input): Promise<string> {
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read).toString('utf8');
}
const stored = (content: Buffer, name = 'items.ndjson'): string => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};
const fromFile = (content: Buffer, name?: string): Promise<string> =>
  textOf(openInput(stored(content, name), Readable.from([])));
/** Standard input that arrives in pieces of this many bytes. */
const fromPipe = (content: Buffer, size: number): Promise<string> => {
  const pieces = Array.from({ length: Math.ceil(content.length / size) }, (_, n) =>
    content.subarray(n * size, (n + 1) * size),
  );
  return textOf(openInput('-', Readable.from(pieces)));
};

test('a file and standard input are read unchanged, in chunks of any size', async () => {
  expect(await fromFile(LINES)).toBe(LINES.toString());
  for (const size of [1, 3, 7, 1_000]) expect(await fromPipe(LINES, size)).toBe(LINES.toString());
});

test('gzip is recognised by its first bytes, whatever the name, with several members too', async () => {
  const packed = gzipSync(LINES);
  expect(await fromFile(packed, 'items.ndjson')).toBe(LINES.toString());
  expect(await fromFile(LINES, 'plain.gz')).toBe(LINES.toString());
  expect(await fromFile(Buffer.concat([packed, packed]))).toBe(`${LINES}${LINES}`);
  for (const size of [1, 5, 1_000]) expect(await fromPipe(packed, size)).toBe(LINES.toString());
});

test('a file has a size and can be read again; a stream has none', () => {
  expect(openInput(stored(LINES), Readable.from([])).fileBytes).toBe(LINES.length);
  expect(openInput('-', Readable.from([])).fileBytes).toBeNull();
});

test('a compressed stream is read no faster than its text is consumed', async () => {
  const packed = gzipSync(randomBytes(12 * MIB));
  const pieces = Array.from({ length: Math.ceil(packed.length / 65_536) }, (_, n) =>
    packed.subarray(n * 65_536, (n + 1) * 65_536),
  );
  const input = openInput('-', Readable.from(pieces));
  let taken = 0;
  for await (const chunk of input.chunks) {
    expect(chunk.length).toBeLessThanOrEqual(MIB);
    taken += chunk.length;
    if (taken >= 2 * MIB) break;
  }
  expect(input.readBytes()).toBeLessThan(6 * MIB);
});

test('a pending read ends when it is stopped', async () => {
  const endless = new Readable({ read() {} });
  endless.push('{"prompt":"a"}\n');
  const input = openInput('-', endless);
  const chunks = input.chunks[Symbol.asyncIterator]();
  expect((await chunks.next()).done).toBe(false);
  const waiting = chunks.next().then(
    () => 'ended',
    () => 'ended',
  );
  input.stop();
  expect(await waiting).toBe('ended');
  expect(endless.destroyed).toBe(true);
});

describe('rejects unreadable input and says what to do', () => {
  test.each<[string, Buffer, RegExp]>([
    ['an empty file', Buffer.alloc(0), /is empty$/],
    ['gzip of nothing', gzipSync(''), /is empty after decompression$/],
    [
      'UTF-16 with a mark',
      Buffer.from('\ufeff{"a":1}', 'utf16le'),
      /is in UTF-16. .*iconv -f UTF-16 -t UTF-8$/,
    ],
    ['UTF-16 with the other mark', Buffer.from('\ufeff{"a":1}', 'utf16le').swap16(), /is in UTF-16. .*iconv/],
    ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le'), /is in UTF-16. .*iconv/],
    ['UTF-16 in gzip', gzipSync(Buffer.from('\ufeff[1]', 'utf16le')), /is in UTF-16. .*iconv/],
    ['a zip archive', Buffer.from('PK\x03\x04rest'), /is a zip archive. .*unpack or convert it first$/],
    ['zstd', Buffer.from('28b52ffd0000', 'hex'), /is compressed with zstd/],
    ['gzip in gzip', gzipSync(gzipSync(LINES)), /is compressed twice/],
    ['truncated gzip', gzipSync(LINES).subarray(0, -10), /truncated: its gzip data has no end/],
    [
      'broken gzip',
      Buffer.concat([gzipSync(LINES).subarray(0, 10), Buffer.alloc(40, 0xee)]),
      /has invalid gzip data \(Z_/,
    ],
  ])('%s', async (_what, content, message) => {
    for (const read of [() => fromFile(content), () => fromPipe(content, 3)]) {
      const error = await read().catch((fault: unknown) => fault);
      expect(error).toBeInstanceOf(UnreadableInput);
      expect((error as Error).message).toMatch(message);
    }
  });

  test('a missing file, and a directory', () => {
    const missing = path.join(folder, 'missing');
    expect(() => openInput(missing, Readable.from([]))).toThrow(`No such file: ${missing}`);
    expect(() => openInput(folder, Readable.from([]))).toThrow(`${folder} is a folder. Give a file`);
  });
});
