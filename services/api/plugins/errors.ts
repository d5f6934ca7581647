import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../../platform/runtime/logger.ts';
import { ApiError, errorBody, problemBody, toApiError } from '../errors.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';
const TOO_MANY = 429;
/** Of a body that is refused by its length, so much is read and thrown away. */
const DRAINED_BYTES = 64 * 1024 * 1024;

/** Answers an error in the shape that the request asks for. 5xx are logged with their cause; bodies never show it. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  logger: Logger,
): FastifyReply {
  const error = toApiError(thrown);
  // What is refused for want of memory comes by the thousand, and is told by a metric. What nobody waits for any more was
  // given up by its client, who could fill the log with it.
  const isGivenUp = error.code === 'UNAVAILABLE' && request.raw.socket.destroyed;
  if (error.statusCode >= 500 && error.code !== 'BODIES_BUSY' && !isGivenUp) {
    const fields = { requestId: request.id, route: request.routeOptions.url, code: error.code };
    logger[error.code === 'INTERNAL' ? 'error' : 'warn'](
      { ...fields, err: error.cause ?? error },
      'answered 5xx',
    );
  }
  // The framework closes at once what is too large: a sender that is still busy would see a broken connection instead
  // of the answer that tells it why.
  const length = Number(request.headers['content-length']);
  if (error.code === 'BODY_TOO_LARGE' && length <= DRAINED_BYTES) reply.removeHeader('connection');
  const problem = request.headers.accept?.includes(PROBLEM_TYPE) ?? false;
  const body = problem ? problemBody(error, request.id) : errorBody(error, request.id);
  return reply
    .code(error.statusCode)
    .headers({ ...error.headers })
    .header('content-type', problem ? PROBLEM_TYPE : JSON_TYPE)
    .send(JSON.stringify(body));
}

/** `hold`: what a refusal of somebody who asks too much waits for. */
export function installErrors(app: FastifyInstance, logger: Logger, hold: () => Promise<void>): void {
  app.setErrorHandler(async (error, request, reply) => {
    const answered = toApiError(error);
    // Who sends too much at once is no better than who asks too often.
    if (answered.statusCode === TOO_MANY || answered.code === 'BODIES_BUSY') await hold();
    return sendError(request, reply, answered, logger);
  });
}

/** Time for a client to read the last answer of a connection; one that does not hang up itself is hung up on. */
const LINGER_MS = 1_000;

/** Answers what never became a request: slow, oversized or unreadable headers. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const mapped = toApiError(error);
  const known = mapped.code === 'INTERNAL' ? new ApiError('INVALID_REQUEST') : mapped;
  const body = JSON.stringify(errorBody(known, randomUUID()));
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
  socket.end(
    `HTTP/1.1 ${known.statusCode} ${STATUS_CODES[known.statusCode]}\r\ncontent-type: ${JSON_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
