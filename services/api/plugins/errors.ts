import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../../platform/runtime/logger.ts';
import { ApiError, errorBody, problemBody, toApiError } from '../errors.ts';
import type { OpenRequests } from './open-requests.ts';

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

/**
 * Answers an address that the router cannot read, before any hook. The framework knows no forwarded address here: it
 * counts for the connection's, and of a proxy's clients those alone share it that send such addresses.
 */
export const frameworkErrors =
  (open: Pick<OpenRequests, 'refuse'>, hold: () => Promise<void>, logger: Logger) =>
  (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = open.refuse(request.ip, toApiError(thrown));
    const held = error.statusCode === TOO_MANY ? hold() : Promise.resolve();
    void held.then(() => sendError(request, reply, error, logger));
  };

/** Time for a client to read the last answer of a connection; one that does not hang up itself is hung up on. */
const LINGER_MS = 1_000;

/**
 * Answers what never became a request: slow, oversized or unreadable headers. It counts for the address of the
 * connection, but for what took the whole time that a request has.
 */
export function clientErrors(
  open: Pick<OpenRequests, 'refuse'>,
  hold: () => Promise<void>,
): (thrown: Error & { code?: string }, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  return (thrown, socket) => {
    // The one answer of the connection is on its way; what is still sent is thrown away.
    if (answered.has(socket)) return;
    if (socket.destroyed || thrown.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const mapped = toApiError(thrown);
    const known = mapped.code === 'INTERNAL' ? new ApiError('INVALID_REQUEST') : mapped;
    const error = known.code === 'REQUEST_TIMEOUT' ? known : open.refuse(socket.remoteAddress, known);
    answered.add(socket);
    if (error.statusCode !== TOO_MANY) {
      answerLast(socket, error);
      return;
    }
    socket.pause();
    void hold().then(() => answerLast(socket, error));
  };
}

/** Writes an answer past the framework, behind which the connection ends. */
function answerLast(socket: Socket, error: ApiError): void {
  if (socket.destroyed) return;
  const body = JSON.stringify(errorBody(error, randomUUID()));
  const fields = {
    ...error.headers,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
  socket.resume();
  socket.end(`HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}\r\n${head.join('')}\r\n${body}`);
}
