import { NDJSON } from '../../../schemas/api/audit-batch.ts';
import { MAX_TRIPLET_BYTES } from '../../../schemas/api/audits.ts';
import { ApiError, invalid } from '../errors.ts';
import { type Body, jsonInSteps } from '../plugins/body.ts';
import {
  isSpace,
  type JsonShape,
  shapeInSteps,
  shapeOf,
  WALKED_AT_ONCE,
  walkFrom,
  walkOn,
} from '../plugins/json-walk.ts';

/**
 * Takes a batch apart without parsing it, so that each item can be read by itself: one that is too large or broken
 * costs the others nothing, and the event loop is free between two items, and on the way to a far one.
 */

export interface RawItem {
  readonly bytes: Buffer;
  readonly shape: JsonShape;
}

/**
 * One item after the other; undefined: none yet, and a point at which to give way. Throws INVALID_JSON where a JSON
 * array is none.
 */
export const batchItems = (body: Body): Generator<RawItem | undefined, void> =>
  body.mediaType === NDJSON ? lines(body.bytes) : arrayElements(body);

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Place of the first byte from `at` on that is no white space of JSON. */
function* skipSpace(bytes: Buffer, at: number): Generator<undefined, number> {
  let next = at;
  for (; next < bytes.length && isSpace(bytes[next]); next += 1) {
    if ((next - at) % WALKED_AT_ONCE === WALKED_AT_ONCE - 1) yield;
  }
  return next;
}

/** Lines with more than white space in them, from their first byte that is none. */
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
 * The elements, each with the white space around it. Whether one is JSON is for its reader to say; here only the
 * strings and brackets are followed, which is what tells where it ends.
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
    throw new ApiError('INVALID_JSON');
}

/** Another value than an array, or no JSON at all; a large one is not parsed only to tell. */
function* noArray(body: Body): Generator<undefined, ApiError> {
  if (body.bytes.length <= MAX_TRIPLET_BYTES) yield* jsonInSteps(body);
  return invalid('body', `send an array of triplets, or one triplet a line as ${NDJSON}`);
}
