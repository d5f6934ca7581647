import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/refusals.ts';

/** `x-gzip` is an older name for `gzip`. */
const GZIP = ['gzip', 'x-gzip'];
const MAX_HEADER = 100;

/**
 * Whether the body is compressed. Throws if the operation does not accept the encoding; `identity` (none) is always
 * accepted.
 */
export function isGzip(request: FastifyRequest, accepted: readonly string[]): boolean {
  const header = request.headers['content-encoding'];
  if (header === undefined) return false;
  const codings =
    header.length > MAX_HEADER
      ? [header]
      : header
          .toLowerCase()
          .split(',')
          .map((coding) => coding.trim())
          .filter((coding) => coding !== '' && coding !== 'identity');
  const [first, ...more] = codings;
  if (first === undefined) return false;
  if (more.length === 0 && GZIP.includes(first) && accepted.includes('gzip')) return true;
  const known = [...accepted, 'identity'];
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    { 'accept-encoding': known.join(', ') },
    { message: `Unsupported Content-Encoding. Use ${known.join(' or ')}, or omit the header.` },
  );
}
