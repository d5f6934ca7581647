import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { MEMORY_PER_VALUE } from './body-budget.ts';
import { checkShape, type JsonShape, shapeInSteps } from './json-walk.ts';

/** The bytes received, not empty, in an accepted media type. */
export interface Body {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** Counts values that are about to be built from it; throws when there is no room for them. */
  hold(values: number): void;
}

/** Refuses a request with a content encoding. */
export function refuseEncoded(request: FastifyRequest): void {
  if (request.headers['content-encoding'] !== undefined) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without Content-Encoding' });
  }
}

/** Longer than any accepted type; in a longer header the pattern would search for its end again and again. */
const MAX_MEDIA_TYPE = 200;
const MEDIA_TYPE = /^([a-z0-9.+-]+\/[a-z0-9.+-]+)\s*(?:;\s*charset="?utf-?8"?\s*)?;?\s*$/i;

/** The bytes of a body, not empty, with their media type: one of `types`, in UTF-8. */
export function readBytes(request: FastifyRequest, types: readonly string[]): Body {
  const bytes = request.body as Buffer | undefined;
  const header = request.headers['content-type'];
  const given = bytes !== undefined && bytes.length > 0;
  // Most clients send the type as the contract spells it.
  const mediaType = header !== undefined && types.includes(header) ? header : mediaTypeOf(header ?? '');
  if ((given || header !== undefined) && !types.includes(mediaType)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${types.join(' or ')}` });
  }
  if (!given) throw new ApiError('INVALID_JSON', { message: 'The body is empty; send JSON' });
  return { bytes, mediaType, hold: (values) => request.heldBody?.take(values * MEMORY_PER_VALUE) };
}

const mediaTypeOf = (header: string): string =>
  header.length > MAX_MEDIA_TYPE ? '' : (MEDIA_TYPE.exec(header)?.[1]?.toLowerCase() ?? '');

/** Decoding and parsing of more bytes than this yield in between. */
export const LARGE_BYTES = 64 * 1024;

/**
 * JSON in UTF-8 within its bounds, with its strings made well-formed: a lone surrogate has no UTF-8 form and so could
 * be neither hashed nor stored. The parser's own message quotes the body, so it is not passed on. `shape`: when it is
 * known already, and its values are held.
 */
export function* jsonInSteps(
  { bytes, hold }: Pick<Body, 'bytes' | 'hold'>,
  shape?: JsonShape,
): Generator<undefined, unknown> {
  if (!isUtf8(bytes)) throw new ApiError('INVALID_JSON', { message: 'The body is not UTF-8' });
  const found = shape ?? (yield* shapeInSteps(bytes));
  checkShape(found);
  if (shape === undefined) hold(found.values);
  const text = bytes.toString('utf8');
  const isLarge = bytes.length > LARGE_BYTES;
  if (isLarge) yield;
  const parsed = parse(text);
  if (isLarge) yield;
  // A search for two characters is many times as fast as the pattern.
  if (!text.includes('\\u') || !ESCAPED_SURROGATE.test(text)) return parsed;
  const value = wellFormed(parsed);
  if (isLarge) yield;
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('INVALID_JSON');
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

/** Refuses what canonical JSON cannot hold: numbers beyond the range of a double. */
export function checkNumbers(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ApiError('INVALID_REQUEST', { message: 'The body holds a number that is out of range' });
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const child of value) checkNumbers(child);
  // What JSON was parsed to has members of its own only, and no array of them need be made.
  else for (const name in value) checkNumbers((value as Readonly<Record<string, unknown>>)[name]);
}
