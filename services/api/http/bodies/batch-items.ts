import { invalid, Refusal } from '#platform/flow/refusal.ts';
import { NDJSON } from '#schemas/api/audit-batch.ts';
import { MAX_TRIPLET_BYTES } from '#schemas/api/audits.ts';
import { type Body, jsonInSteps } from './body.ts';
import {
  isSpace,
  type JsonShape,
  shapeInSteps,
  shapeOf,
  WALKED_AT_ONCE,
  walkFrom,
  walkOn,
} from './json-walk.ts';

/**
 * Splits a batch without parsing it, so each item can be read separately. An item that is too large or broken does not
 * affect the others, and the event loop is free between items and within a long one.
 */

export interface RawItem {
  readonly bytes: Buffer;
  readonly shape: JsonShape;
}

/**
 * The items in order; undefined: no item yet, a point to yield. Throws INVALID_JSON if the value is not a JSON array.
 */
export const batchItems = (body: Body): Generator<RawItem | undefined, void> =>
  body.mediaType === NDJSON ? lines(body.bytes) : arrayElements(body);

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Offset of the first byte at or after `at` that is not JSON white space. */
function* skipSpace(bytes: Buffer, at: number): Generator<undefined, number> {
  let next = at;
  for (; next < bytes.length && isSpace(bytes[next]); next += 1) {
    if ((next - at) % WALKED_AT_ONCE === WALKED_AT_ONCE - 1) yield;
  }
  return next;
}

/** Non-blank lines, each from its first byte that is not white space. */
function* lines(bytes: Buffer): Generator<RawItem | undefined, void> {
  for (let start = yield* skipSpace(bytes, 0); start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    yield { bytes: line, shape: yield* shapeInSteps(line) };
    start = yield* skipSpace(bytes, end);
  }
}

/**
 * The elements, each with the white space around it. This follows only strings and brackets to find where an element
 * ends; the reader of an element decides whether it is valid JSON.
 */
function* arrayElements(body: Body): Generator<RawItem | undefined, void> {
  const { bytes } = body;
  const open = yield* skipSpace(bytes, 0);
  if (bytes[open] !== OPEN_BRACKET) throw yield* noArray(body);
  const first = yield* skipSpace(bytes, open + 1);
  let at = bytes[first] === CLOSE_BRACKET ? first : open;
  while (bytes[at] === COMMA || at === open) {
    const walk = walkFrom(at + 1);
    while (!walkOn(bytes, walk, walk.at + WALKED_AT_ONCE)) yield;
    yield { bytes: bytes.subarray(at + 1, walk.at), shape: shapeOf(walk) };
    at = walk.at;
  }
  if (bytes[at] !== CLOSE_BRACKET || (yield* skipSpace(bytes, at + 1)) < bytes.length)
    throw new Refusal('INVALID_JSON');
}

/** Not an array, or no JSON at all. A large body is not parsed to find out which. */
function* noArray(body: Body): Generator<undefined, Refusal> {
  if (body.bytes.length <= MAX_TRIPLET_BYTES) yield* jsonInSteps(body);
  return invalid('body', `send an array of triplets, or one triplet per line as ${NDJSON}`);
}
