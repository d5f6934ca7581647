import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import { DamagedData } from '#platform/flow/service-error.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { WarehouseDamaged } from '#platform/warehouse/port.ts';
import { DEFAULT_BODY_LIMIT, sizeOf } from '#schemas/api/contract.ts';
import { ingestAudit, ingestBatch } from '#schemas/endpoints.ts';
import { ERRORS } from '#schemas/errors.ts';
import { errorBody, headersOf, problemBody, statusOf, toRefusal } from './errors/refusals.ts';
import type { OpenRequests } from './limits/open-requests.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';
const TOO_MANY = 429;
const UNLOGGED: ReadonlySet<string> = new Set(['BODIES_BUSY', 'STATE_OLDER', 'DATA_DAMAGED']);
/** How much is read and discarded of a body refused by its length. */
const DRAINED_BYTES = 64 * 1024 * 1024;

/** Adds the limit to the message for a body refused by its length. */
function withLimit({ routeOptions }: FastifyRequest, error: Refusal): Refusal {
  if (error.code !== 'BODY_TOO_LARGE' || error.message !== ERRORS.BODY_TOO_LARGE.message) return error;
  return new Refusal('BODY_TOO_LARGE', {
    message: `The body is larger than the ${sizeOf(routeOptions.bodyLimit ?? DEFAULT_BODY_LIMIT)} that this operation takes${
      routeOptions.url?.startsWith(ingestAudit.path) === true
        ? `; send many triplets as several bodies to POST ${ingestBatch.path}, as JSON or NDJSON`
        : ''
    }`,
  });
}

/** Answers an error in the format that the request asks for. 5xx are logged with their cause; answers never show it. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  logger: Logger,
): FastifyReply {
  const error = withLimit(request, toRefusal(thrown));
  // Refusals for lack of memory, for a closed service and for damaged data come by the thousand: metrics count them,
  // and their cause is logged once. Disconnecting clients could fill the log too.
  const isGivenUp = error.code === 'UNAVAILABLE' && request.raw.socket.destroyed;
  if (statusOf(error) >= 500 && !UNLOGGED.has(error.code) && !isGivenUp) {
    const fields = { requestId: request.id, route: request.routeOptions.url, code: error.code };
    logger[error.code === 'INTERNAL' ? 'error' : 'warn'](
      { ...fields, err: error.cause ?? error },
      'request failed',
    );
  }
  // The framework closes the connection at once if a body is too large. A client that is still sending would see a
  // broken connection instead of the answer with the reason.
  const length = Number(request.headers['content-length']);
  if (error.code === 'BODY_TOO_LARGE' && length <= DRAINED_BYTES) reply.removeHeader('connection');
  const problem = request.headers.accept?.includes(PROBLEM_TYPE) ?? false;
  const body = problem ? problemBody(error, request.id) : errorBody(error, request.id);
  return reply
    .code(statusOf(error))
    .headers(headersOf(error))
    .header('content-type', problem ? PROBLEM_TYPE : JSON_TYPE)
    .send(JSON.stringify(body));
}

/** Number of damaged positions remembered as logged. */
const REMEMBERED_DAMAGE = 1_000;

/** Logs each damage once. Damage of the warehouse is logged where it is read. */
function damageLog(logger: Logger): (cause: unknown) => void {
  const logged = new Set<string>();
  return (cause) => {
    if (!(cause instanceof DamagedData) || cause instanceof WarehouseDamaged) return;
    if (logged.has(cause.message) || logged.size >= REMEMBERED_DAMAGE) return;
    logged.add(cause.message);
    logger.error({ err: cause }, 'stored data damaged');
  };
}

/** `delay` is awaited before a client is refused for sending too much or too often. */
export function installErrors(app: FastifyInstance, logger: Logger, delay: () => Promise<void>): void {
  const logDamage = damageLog(logger);
  app.setErrorHandler(async (error, request, reply) => {
    const answered = toRefusal(error);
    if (answered.code === 'DATA_DAMAGED') logDamage(answered.cause);
    // Sending too much at once is treated like sending too often.
    if (statusOf(answered) === TOO_MANY || answered.code === 'BODIES_BUSY') await delay();
    return sendError(request, reply, answered, logger);
  });
}

/**
 * Answers an address that the router cannot parse, before any hook. The framework does not know the forwarded address
 * here, so the refusal counts against the connection's address; of a proxy's clients, only those that send such
 * addresses share it.
 */
export const frameworkErrors =
  (open: Pick<OpenRequests, 'refuse'>, delay: () => Promise<void>, logger: Logger) =>
  (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = open.refuse(request.ip, toRefusal(thrown));
    const delayed = statusOf(error) === TOO_MANY ? delay() : Promise.resolve();
    void delayed.then(() => sendError(request, reply, error, logger));
  };

/** Time for a client to read a connection's last answer, after which the connection is closed. */
const LINGER_MS = 1_000;

/**
 * Answers input that never became a request: slow, oversized or unreadable headers. Except for a request that timed
 * out, it counts against the connection's address.
 */
export function clientErrors(
  open: Pick<OpenRequests, 'refuse'>,
  delay: () => Promise<void>,
): (thrown: Error & { code?: string }, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  return (thrown, socket) => {
    // The connection's one answer is on its way; further input is discarded.
    if (answered.has(socket)) return;
    if (socket.destroyed || thrown.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const mapped = toRefusal(thrown);
    const known = mapped.code === 'INTERNAL' ? new Refusal('INVALID_REQUEST') : mapped;
    const error = known.code === 'REQUEST_TIMEOUT' ? known : open.refuse(socket.remoteAddress, known);
    answered.add(socket);
    if (statusOf(error) !== TOO_MANY) {
      answerLast(socket, error);
      return;
    }
    socket.pause();
    void delay().then(() => answerLast(socket, error));
  };
}

/** Writes an answer without the framework, then closes the connection. */
function answerLast(socket: Socket, error: Refusal): void {
  if (socket.destroyed) return;
  const body = JSON.stringify(errorBody(error, randomUUID()));
  const fields = {
    ...headersOf(error),
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
  socket.resume();
  const status = statusOf(error);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
}
