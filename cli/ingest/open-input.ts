import { createReadStream, type Stats, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Bytes of a file, a pipe or standard input, decompressed. */
export interface Input {
  /** For messages. */
  readonly name: string;
  /** Null for a stream, whose size is unknown and which cannot be read again. */
  readonly fileBytes: number | null;
  readonly chunks: AsyncIterable<Buffer>;
  /** Bytes read so far, before decompression. */
  readBytes(): number;
  /** Ends a pending read. */
  stop(): void;
}

/** The input cannot be read in this form. The message says what to do. */
export class UnreadableInput extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableInput';
  }
}

const STANDARD_INPUT = '-';
const CHUNK_BYTES = 1024 * 1024;

/** Opens a file, or standard input for `-`. Throws `UnreadableInput`. */
export function openInput(file: string, standardInput: Readable): Input {
  if (file === STANDARD_INPUT) return inputOf('standard input', null, standardInput);
  const stats = statsOf(file);
  if (stats.isDirectory())
    throw new UnreadableInput(`${file} is a folder. Give a file, or - for standard input`);
  const isFile = stats.isFile();
  return inputOf(file, isFile ? stats.size : null, createReadStream(file, { highWaterMark: CHUNK_BYTES }));
}

function statsOf(file: string): Stats {
  try {
    return statSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(name: string, error: unknown): UnreadableInput {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UnreadableInput(`No such file: ${name}`);
  if (code === 'EACCES' || code === 'EPERM')
    return new UnreadableInput(`${name} is not readable: permission denied`);
  return new UnreadableInput(`${name} is not readable: ${code ?? message}`);
}

function inputOf(name: string, fileBytes: number | null, stream: Readable): Input {
  let read = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) {
        read += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
    } catch (error) {
      throw unreadable(name, error);
    }
  }
  return {
    name,
    fileBytes,
    chunks: plainText(name, counted()),
    readBytes: () => read,
    stop: () => void stream.destroy(),
  };
}

/** Length of the longest signature below. */
const HEAD_BYTES = 6;
const GZIP = [0x1f, 0x8b];

/** Other kinds of files, by their first bytes. */
const REFUSED: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0xff, 0xfe], 'in UTF-16'],
  [[0xfe, 0xff], 'in UTF-16'],
  [[0x00, 0x00, 0xfe, 0xff], 'in UTF-32'],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd'],
  [[0x42, 0x5a, 0x68], 'compressed with bzip2'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'compressed with xz'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file'],
];

const startsWith = (head: Buffer, start: readonly number[]): boolean =>
  start.every((byte, offset) => head[offset] === byte);

/** UTF-8 JSON never has a zero byte; UTF-16 has one in every second byte of ASCII letters. */
const isUtf16 = (head: Buffer): boolean => head.length > 1 && (head[0] === 0) !== (head[1] === 0);

function refuseOther(name: string, head: Buffer): void {
  const what =
    REFUSED.find(([start]) => startsWith(head, start))?.[1] ?? (isUtf16(head) ? 'in UTF-16' : null);
  if (what === null) return;
  const advice = what.startsWith('in UTF')
    ? `convert it, for example with iconv -f ${what.slice(3)} -t UTF-8`
    : 'unpack or convert it first';
  throw new UnreadableInput(`${name} is ${what}. cas reads UTF-8 JSON, plain or gzip: ${advice}`);
}

async function* plainText(name: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const headed = withHead(chunks);
  const first = await headed.next();
  if (first.done === true) throw new UnreadableInput(`${name} is empty`);
  if (!startsWith(first.value, GZIP)) {
    refuseOther(name, first.value);
    yield first.value;
    yield* headed;
    return;
  }
  const unpacked = withHead(gunzipped(name, joined(first.value, headed)));
  const start = await unpacked.next();
  if (start.done === true) throw new UnreadableInput(`${name} is empty after decompression`);
  if (startsWith(start.value, GZIP))
    throw new UnreadableInput(`${name} is compressed twice. Decompress it once`);
  refuseOther(name, start.value);
  yield start.value;
  yield* unpacked;
}

/** The same bytes; the first chunk is long enough to recognise the format, however they arrive. */
async function* withHead(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const all: Buffer = head === null ? chunk : Buffer.concat([head, chunk]);
    if (head !== null && all.length < HEAD_BYTES) {
      head = all;
      continue;
    }
    head = null;
    yield all;
  }
  if (head !== null && head.length > 0) yield head;
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Decompresses at most a few chunks ahead of the reader. */
async function* gunzipped(name: string, packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(packed, { objectMode: false });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  source.once('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR')
      throw new UnreadableInput(`${name} is truncated: its gzip data has no end. Fetch the file again`);
    if (code.startsWith('Z_'))
      throw new UnreadableInput(`${name} has invalid gzip data (${code}). Fetch the file again`);
    throw error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
