import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteContract } from '#schemas/api/contract.ts';

/** Smaller answers fit into one or two packets uncompressed. */
export const COMPRESSED_FROM = 1024;
/** About as fast as gzip, and smaller. The default takes a hundred times as long. */
const BROTLI_QUALITY = 4;
const TEXTUAL = /^(?:application\/json|text\/(?:plain|html|css|javascript))\b/;

const withGzip = promisify(gzip);
const withBrotli = promisify(brotliCompress);

type Encoding = 'br' | 'gzip';

/** Whether a list such as `br;q=1.0, gzip` accepts the encoding. */
export const takes = (accepted: string, encoding: Encoding): boolean =>
  accepted.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
  });

/**
 * Whether an operation's answers may be compressed: only those of reads. Answers to writes are short, or lists of
 * random ids. Answers with a secret, such as a key that is shown once or a CSRF token, never are: if an answer repeats
 * request input, its compressed length can reveal a secret in it (BREACH). Their contracts are marked `noStore`. Other
 * answers that repeat input contain only the customer's own records, and no page of another site can make a browser
 * request them: the session's cookie is SameSite=Strict, and keys are in a header.
 */
export const isCompressible = ({ method, noStore, setsCookie }: RouteContract): boolean =>
  method === 'GET' && noStore !== true && setsCookie !== true;

/** Files and descriptions never change, so they are compressed once. */
const kept = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

function compressed(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const encodings = kept.get(bytes) ?? new Map<Encoding, Promise<Buffer>>();
  kept.set(bytes, encodings);
  const made = encodings.get(encoding) ?? compress(bytes, encoding);
  encodings.set(encoding, made);
  made.catch(() => encodings.delete(encoding));
  return made;
}

/** Runs in the thread pool. */
function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return withGzip(bytes);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return withBrotli(bytes, { params });
}

/** The content in the client's best accepted encoding, with the matching headers. */
export async function encoded(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  content: string | Buffer,
): Promise<string | Buffer> {
  const isEncoded = reply.hasHeader('content-encoding');
  if (isEncoded || !TEXTUAL.test(String(reply.getHeader('content-type')))) return content;
  const vary = reply.getHeader('vary');
  if (!String(vary).includes('Accept-Encoding'))
    reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
  const accepted = String(headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((one) => takes(accepted, one));
  if (encoding === undefined) return content;
  const bytes = await compressed(Buffer.isBuffer(content) ? content : Buffer.from(content), encoding);
  reply.header('content-encoding', encoding);
  return bytes;
}
