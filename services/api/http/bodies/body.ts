import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { bytesMayHoldMedia } from '#core/media/find-media.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { cutMedia } from '../../operations/cut-media.ts';
import type { SentJson } from '../../operations/sent-json.ts';
import { MEMORY_PER_VALUE } from './body-budget.ts';
import { checkExact } from './exact-json.ts';
import { jsonFault } from './json-fault.ts';
import { checkShape, type JsonShape, shapeInSteps } from './json-walk.ts';
import { textTooLarge } from './largest-field.ts';

/** The bytes received: not empty, of an accepted media type. */
export interface Body {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** Counts values about to be built from the body; throws if there is no room for them. */
  hold(values: number): void;
}

/** Longer than any accepted type. In a longer header the pattern would search for its end repeatedly. */
const MAX_MEDIA_TYPE = 200;
const MEDIA_TYPE = /^([a-z0-9.+-]+\/[a-z0-9.+-]+)\s*(?:;\s*charset="?utf-?8"?\s*)?;?\s*$/i;

/** The media type of a body in UTF-8: one of `types`. */
export function checkedType(request: FastifyRequest, types: readonly string[]): string {
  const bytes = request.body as Buffer | undefined;
  const header = request.headers['content-type'];
  const given = bytes !== undefined && bytes.length > 0;
  // Fast path: most clients spell the type as the contract does.
  const mediaType = header !== undefined && types.includes(header) ? header : mediaTypeOf(header ?? '');
  if ((given || header !== undefined) && !types.includes(mediaType)) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
      message: `Send the body as ${types.join(' or ')}, in UTF-8${sentType(header)}`,
    });
  }
  return mediaType;
}

/** Types that a message may repeat. Any other may be a client's data. */
const COMMON_TYPES: readonly string[] = [
  'application/x-www-form-urlencoded',
  'application/x-ndjson',
  'application/ndjson',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/csv',
  'text/plain',
  'text/xml',
];

/** Describes the type that was sent, and where it belongs. */
function sentType(header: string | undefined): string {
  if (header === undefined) return '; no Content-Type was sent';
  const [type = ''] = header.split(';', 1);
  const shown = COMMON_TYPES.includes(type) ? type : 'another one';
  return type.includes('ndjson')
    ? `; ${shown} goes to POST /audit/ingest/batch`
    : `; the Content-Type was ${shown}`;
}

/** A body that is not empty. `bytes`: after Content-Encoding is removed. */
export function readBytes(request: FastifyRequest, bytes: Buffer | undefined, mediaType: string): Body {
  if (bytes === undefined || bytes.length === 0)
    throw new Refusal('INVALID_JSON', { message: 'The body is empty; send JSON' });
  return {
    bytes: withoutMark(bytes),
    mediaType,
    hold: (values) => request.heldBody?.take(values * MEMORY_PER_VALUE),
  };
}

const UTF_8_MARK = Buffer.from('\ufeff');
const NUL = 0;

/** Removes the byte-order mark that some editors and runtimes write first. */
function withoutMark(bytes: Buffer): Buffer {
  // By index: destructuring a buffer would use an iterator.
  const first = bytes[0];
  const second = bytes[1];
  // JSON starts with ASCII, so a NUL in the first two bytes means UTF-16 or UTF-32.
  if (
    first === NUL ||
    second === NUL ||
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff)
  )
    throw new Refusal('INVALID_JSON', { message: 'The body is UTF-16 or UTF-32. Send UTF-8.' });
  return first === UTF_8_MARK[0] && bytes.subarray(0, 3).equals(UTF_8_MARK) ? bytes.subarray(3) : bytes;
}

const mediaTypeOf = (header: string): string =>
  header.length > MAX_MEDIA_TYPE ? '' : (MEDIA_TYPE.exec(header)?.[1]?.toLowerCase() ?? '');

/** Decoding and parsing of larger bodies yields in between. */
export const LARGE_BYTES = 64 * 1024;

/**
 * Parses UTF-8 JSON within its bounds and makes its strings well-formed: a lone surrogate has no UTF-8 form, so it
 * could be neither hashed nor stored. The parser's message quotes the body, so it is not passed on. `shape`: given if
 * it is already known and its values are counted.
 */
export function* jsonInSteps(
  { bytes, hold }: Pick<Body, 'bytes' | 'hold'>,
  shape?: JsonShape,
): Generator<undefined, unknown> {
  if (!isUtf8(bytes)) throw new Refusal('INVALID_JSON', { message: 'The body is not valid UTF-8' });
  const found = shape ?? (yield* shapeInSteps(bytes));
  checkShape(found);
  if (shape === undefined) hold(found.values);
  const text = bytes.toString('utf8');
  const isLarge = bytes.length > LARGE_BYTES;
  if (isLarge) yield;
  const parsed = yield* parse(text);
  if (isLarge) yield;
  // Searching for two characters is many times faster than the pattern.
  const value = text.includes('\\u') && ESCAPED_SURROGATE.test(text) ? wellFormed(parsed) : parsed;
  if (isLarge) yield;
  yield* checkExact(text, value, found);
  return value;
}

/** Same, for a body that may exceed `limitBytes` by the pictures and other files in its texts. */
export function* mediaJsonInSteps(
  body: Pick<Body, 'bytes' | 'hold'>,
  limitBytes: number,
  shape?: JsonShape,
): Generator<undefined, SentJson> {
  const cut = bytesMayHoldMedia(body.bytes) ? yield* cutMedia(body.bytes) : null;
  const { bytes } = cut ?? body;
  if (bytes.length > limitBytes) throw yield* textTooLarge(bytes, limitBytes);
  const value = yield* jsonInSteps({ bytes, hold: body.hold }, shape);
  return { value, media: cut?.media ?? null };
}

function* parse(text: string): Generator<undefined, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const fault = yield* jsonFault(text);
    throw new Refusal(
      'INVALID_JSON',
      fault === null ? {} : { message: `The body is not valid JSON: ${fault}` },
    );
  }
}

/** The bytes are UTF-8, so only an escape can produce a lone surrogate. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name.toWellFormed(), wellFormed(child)]),
  );
}
