import { elementSplitter } from './split-elements.ts';
import { lineSplitter } from './split-lines.ts';
import { type Item, isSpace, type Splitter } from './splitter.ts';

const OPEN_BRACKET = 0x5b;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Maximum white space before an array. */
const MAX_INDENT_BYTES = 64 * 1024;

/**
 * The items of a text that arrives in chunks: one triplet per line, or the elements of one JSON array, depending on its
 * first character. At most one item and one chunk are in memory. Throws `BrokenFile` for a malformed array.
 */
export async function* readItems(chunks: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  let splitter: Splitter | null = null;
  let start: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (splitter === null) {
      start = Buffer.concat([start, chunk]);
      splitter = splitterOf(withoutMark(start));
      if (splitter !== null) yield* splitter.push(withoutMark(start));
    } else yield* splitter.push(chunk);
  }
  if (splitter !== null) yield* splitter.end();
}

const withoutMark = (start: Buffer): Buffer =>
  start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? start.subarray(BYTE_ORDER_MARK.length)
    : start;

/** Null while only white space, or the start of a byte-order mark, has arrived. */
function splitterOf(start: Buffer): Splitter | null {
  const isMark = start.length < BYTE_ORDER_MARK.length && BYTE_ORDER_MARK.indexOf(start) === 0;
  const first = start.find((byte) => !isSpace(byte));
  if (isMark || (first === undefined && start.length <= MAX_INDENT_BYTES)) return null;
  return first === OPEN_BRACKET ? elementSplitter() : lineSplitter();
}
