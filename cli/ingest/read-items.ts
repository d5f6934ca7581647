import { createReadStream } from 'node:fs';
import { elementSplitter } from './split-elements.ts';
import { lineSplitter } from './split-lines.ts';
import { type Item, isSpace, type Splitter } from './splitter.ts';

const CHUNK_BYTES = 1024 * 1024;
const OPEN_BRACKET = 0x5b;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The items of a file: one triplet per line, or the elements of one JSON array, depending on its first character. At
 * most one item and one chunk are in memory. Throws `BrokenFile` for a malformed array.
 */
export async function* readItems(file: string): AsyncGenerator<Item> {
  let splitter: Splitter | null = null;
  let isStart = true;
  for await (const read of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    const chunk = isStart ? withoutMark(read as Buffer) : (read as Buffer);
    isStart = false;
    splitter ??= splitterOf(chunk);
    yield* splitter.push(chunk);
  }
  if (splitter !== null) yield* splitter.end();
}

const withoutMark = (chunk: Buffer): Buffer =>
  chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? chunk.subarray(BYTE_ORDER_MARK.length)
    : chunk;

const splitterOf = (chunk: Buffer): Splitter =>
  chunk.find((byte) => !isSpace(byte)) === OPEN_BRACKET ? elementSplitter() : lineSplitter();
