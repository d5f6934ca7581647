import { NDJSON } from '../../../schemas/api/audit-batch.ts';
import { MAX_TRIPLET_BYTES } from '../../../schemas/api/audits.ts';
import { ApiError, invalid } from '../errors.ts';
import { jsonOf } from '../plugins/body.ts';

/**
 * Takes a batch apart without parsing it, so that each item can be read by itself: one that is too large or broken
 * costs the others nothing, and the event loop is free between two items.
 */

export interface RawBatch {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** The bytes of one item after the other. Throws INVALID_JSON where a JSON array is none. */
export const batchItems = ({ bytes, mediaType }: RawBatch): Generator<Buffer> =>
  mediaType === NDJSON ? lines(bytes) : arrayElements(bytes);

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Place of the first byte from `at` on that is no white space of JSON. */
function skipSpace(bytes: Buffer, at: number): number {
  let next = at;
  for (; next < bytes.length; next += 1) {
    const byte = bytes[next];
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) break;
  }
  return next;
}

/** Lines with more than white space in them, from their first byte that is none. No byte is looked at twice. */
function* lines(bytes: Buffer): Generator<Buffer> {
  for (let start = skipSpace(bytes, 0); start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    yield bytes.subarray(start, end);
    start = skipSpace(bytes, end);
  }
}

/**
 * The elements, each with the white space around it. Whether one is JSON is for its reader to say; here only the
 * strings and brackets are followed, which is what tells where it ends.
 */
function* arrayElements(bytes: Buffer): Generator<Buffer> {
  const open = skipSpace(bytes, 0);
  if (bytes[open] !== OPEN_BRACKET) throw noArray(bytes);
  const first = skipSpace(bytes, open + 1);
  let at = bytes[first] === CLOSE_BRACKET ? first : open;
  while (bytes[at] === COMMA || at === open) {
    const end = elementEnd(bytes, at + 1);
    yield bytes.subarray(at + 1, end);
    at = end;
  }
  if (bytes[at] !== CLOSE_BRACKET || skipSpace(bytes, at + 1) < bytes.length)
    throw new ApiError('INVALID_JSON');
}

/** Place of the comma or bracket that ends the element which begins at `start`, or the end of the bytes. */
function elementEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = stringEnd(bytes, at + 1);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) return at;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  return bytes.length;
}

/** Place of the quote that ends a string; most of a batch lies in strings, where a native search is several times as fast. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let first = at;
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
    // Two backslashes are one that is meant; one that is left over escapes the quote.
    if ((at - first) % 2 === 0) return at;
  }
  return bytes.length;
}

/** Another value than an array, or no JSON at all; a large one is not parsed only to tell. */
function noArray(bytes: Buffer): ApiError {
  if (bytes.length <= MAX_TRIPLET_BYTES) jsonOf(bytes);
  return invalid('body', `send an array of triplets, or one triplet a line as ${NDJSON}`);
}
