import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

/** Deepest nesting of a body; deeper ones serve only to exhaust a stack. */
const MAX_DEPTH = 32;

/**
 * Bodies arrive as bytes, whatever their type: so the size is checked first (413), then the type (415), then the
 * JSON (400), in `readJson`.
 */
export function installBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

/** Refuses a request whose bytes are not what they seem. */
export function refuseEncoded(request: FastifyRequest): void {
  if (request.headers['content-encoding'] !== undefined) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without Content-Encoding' });
  }
}

/** Above any type that is taken; in a longer header the pattern would look for its end again and again. */
const MAX_MEDIA_TYPE = 200;
const MEDIA_TYPE = /^([a-z0-9.+-]+\/[a-z0-9.+-]+)\s*(?:;\s*charset="?utf-?8"?\s*)?;?\s*$/i;

/**
 * The JSON body as sent, with its strings made well-formed: a half surrogate pair has no UTF-8 form and so could be
 * neither hashed nor stored. The parser's own message quotes the body, so it goes no further.
 */
export function readJson(request: FastifyRequest): unknown {
  return jsonOf(readBytes(request, JSON_ONLY).bytes);
}

const JSON_ONLY: readonly string[] = ['application/json'];

/** The bytes of a body, not empty, with their media type: one of `types`, in UTF-8. */
export function readBytes(
  request: FastifyRequest,
  types: readonly string[],
): { readonly bytes: Buffer; readonly mediaType: string } {
  const bytes = request.body as Buffer | undefined;
  const header = request.headers['content-type'];
  const given = bytes !== undefined && bytes.length > 0;
  const mediaType = mediaTypeOf(header ?? '');
  if ((given || header !== undefined) && !types.includes(mediaType)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${types.join(' or ')}` });
  }
  if (!given) throw new ApiError('INVALID_JSON', { message: 'The body is empty; send JSON' });
  return { bytes, mediaType };
}

const mediaTypeOf = (header: string): string =>
  header.length > MAX_MEDIA_TYPE ? '' : (MEDIA_TYPE.exec(header)?.[1]?.toLowerCase() ?? '');

/** JSON in UTF-8, with its strings made well-formed. */
export function jsonOf(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ApiError('INVALID_JSON', { message: 'The body is not UTF-8' });
  const text = bytes.toString('utf8');
  const value = parse(text);
  return ESCAPED_SURROGATE.test(text) ? wellFormed(value, 1) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('INVALID_JSON');
  }
}

/** The bytes are UTF-8, so only an escape can make half a pair. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;
/** Far above what any field allows, far below what a stack holds. */
const MAX_WALK = 1_000;

/** UTF-8 cannot hold half a pair, so the way there and back replaces it. */
const wellFormedText = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

function wellFormed(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_WALK) throw tooDeep();
  if (Array.isArray(value)) return value.map((child) => wellFormed(child, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [wellFormedText(name), wellFormed(child, depth + 1)]),
  );
}

const tooDeep = (): ApiError =>
  new ApiError('INVALID_REQUEST', { message: `The body is nested deeper than ${MAX_DEPTH} levels` });

/** Refuses what canonical JSON cannot hold: nesting without bound, and numbers beyond the range of a double. */
export function checkTree(value: unknown, depth = 1): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ApiError('INVALID_REQUEST', { message: 'The body holds a number that is out of range' });
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw tooDeep();
  for (const child of Array.isArray(value) ? value : Object.values(value)) checkTree(child, depth + 1);
}
