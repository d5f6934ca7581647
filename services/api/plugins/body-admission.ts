import { setMaxListeners } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BYTES_PER_RATE_TOKEN } from '../../../schemas/api/contract.ts';
import { ApiError } from '../errors.ts';
import type { ApiParts } from '../parts.ts';
import type { Caller } from './authentication.ts';
import { toldLength } from './body-arrival.ts';
import { type HeldBody, MEMORY_PER_BYTE } from './body-budget.ts';
import { retryAfterSeconds, setRateHeaders } from './rate-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the body may take of the budget; null before it is admitted. */
    heldBody: HeldBody | null;
  }
}

/**
 * Tokens that a body costs beside the one of its request. No body that fits an operation costs more than a full bucket,
 * so that everybody can send it.
 */
export const tokensForBytes = (bytes: number, { customer }: Caller): number =>
  Math.max(0, Math.min(Math.ceil(bytes / BYTES_PER_RATE_TOKEN), customer.burst) - 1);

export interface BodyAdmission {
  /** Before anything of the body is read. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** When all of it is there: takes what could not be known before. */
  charge(request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void>;
}

/**
 * A body is counted by the length that it says it has, before a byte of it is read: what was admitted arrives whole, and
 * is not refused half-way because others were quicker. A sender who is slow, or sends nothing, holds that much until the
 * request's time is over; it is of its own share, which leaves as much to others. Without a length, what has arrived is
 * counted.
 */
export function bodyAdmission(parts: Pick<ApiParts, 'state' | 'now' | 'bodyBudget'>): BodyAdmission {
  const take = async (request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> => {
    const cost = request.caller === null ? 0 : tokensForBytes(bytes, request.caller);
    if (request.caller === null || cost === 0) return;
    const { customerId, customer } = request.caller;
    const rate = await parts.state.admission.takeRate(customerId, cost);
    setRateHeaders(reply, rate, customer.ratePerSecond, parts.now());
    if (rate.retryAfterMs === 0) return;
    const seconds = retryAfterSeconds(rate);
    throw new ApiError('RATE_LIMITED', {
      message: `A body of this size costs ${cost + 1} requests of your rate limit; repeat it in ${seconds} s`,
      headers: { 'retry-after': String(seconds) },
    });
  };
  return {
    async admit(request, reply) {
      const held = parts.bodyBudget.open(request.caller?.customerId ?? request.ip);
      request.heldBody = held;
      whenOver(request, reply, held.end);
      const length = toldLength(request);
      if (length === null || length > request.routeOptions.bodyLimit) return;
      held.take(length * MEMORY_PER_BYTE);
      await take(request, reply, length);
    },
    async charge(request, reply, bytes) {
      if (toldLength(request) === null) await take(request, reply, bytes);
    },
  };
}

/**
 * Calls back once, when the answer was sent or the connection is gone. The answers to requests that were sent behind one
 * another on a connection are not told when it goes, so the connection is asked as well.
 */
function whenOver(request: FastifyRequest, reply: FastifyReply, callBack: () => void): void {
  const { socket } = request.raw;
  let isOver = false;
  const over = (): void => {
    // A connection that closes tells its answer on the way, and then goes on to whoever listened before that.
    if (isOver) return;
    isOver = true;
    reply.raw.removeListener('close', over);
    socket.removeListener('close', over);
    callBack();
  };
  setMaxListeners(0, socket);
  reply.raw.once('close', over);
  socket.once('close', over);
  if (socket.destroyed) over();
}
