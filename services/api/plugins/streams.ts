import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Name -> how it is made when the stream has ended. */
export type Trailers = Readonly<Record<string, () => string>>;

/** Headers that an answer has because it is a stream; the error that may take its place has not. */
const OF_STREAMS = ['trailer', 'content-disposition'];

/**
 * Sends a stream at the pace of its reader, and trailers behind it. The framework's own way with trailers names them
 * without commas. HEAD reads nothing of the stream; a client of HTTP/1.0 cannot be sent trailers.
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
    // Heard before the framework hears it and ends the answer.
    stream.once('end', () => {
      reply.raw.addTrailers(Object.fromEntries(made.map(([name, make]) => [name, make()])));
    });
  }
  stream.once('error', () => {
    if (!reply.raw.headersSent) for (const name of OF_STREAMS) reply.removeHeader(name);
  });
  return reply.send(stream);
}
