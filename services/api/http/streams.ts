import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Name -> a function that computes the value when the stream ends. */
export type Trailers = Readonly<Record<string, () => string>>;

/** Headers of a stream, which an error sent instead does not have. */
const OF_STREAMS = ['trailer', 'content-disposition'];

/**
 * Sends a stream with back-pressure, and trailers after it. The framework's own trailers are listed without commas.
 * HEAD reads nothing from the stream; an HTTP/1.0 client cannot receive trailers.
 */
export function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: Readable,
  trailers: Trailers = {},
): FastifyReply {
  if (request.method === 'HEAD') {
    stream.destroy();
    return reply.send(Readable.from([]));
  }
  const made = Object.entries(trailers);
  if (made.length > 0 && request.raw.httpVersion !== '1.0') {
    reply.header('trailer', made.map(([name]) => name).join(', '));
    // Runs before the framework's listener, which ends the answer.
    stream.once('end', () => {
      reply.raw.addTrailers(Object.fromEntries(made.map(([name, make]) => [name, make()])));
    });
  }
  stream.once('error', () => {
    if (!reply.raw.headersSent) for (const name of OF_STREAMS) reply.removeHeader(name);
  });
  return reply.send(stream);
}
