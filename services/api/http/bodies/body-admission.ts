import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import { BYTES_PER_RATE_TOKEN } from '#schemas/api/contract.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { bucketOf, retryAfterSeconds, type Spender, spend } from '../../operations/limits/caller-rate.ts';
import { setRateHeaders } from '../limits/rate-headers.ts';
import { declaredLength } from './body-arrival.ts';
import { type BodyBudget, type HeldBody, MEMORY_PER_BYTE } from './body-budget.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's share of the budget; null before it is admitted. */
    heldBody: HeldBody | null;
  }
}

/**
 * Tokens that a body costs in addition to the one for its request. No body within an operation's limit costs more than
 * a full bucket, so every caller can send it.
 */
export const tokensForBytes = (bytes: number, caller: Spender): number =>
  Math.max(0, Math.min(Math.ceil(bytes / BYTES_PER_RATE_TOKEN), bucketOf(caller).burst) - 1);

export interface BodyAdmission {
  /** Runs before any of the body is read. Uses a callback because nearly every body is admitted at once. */
  admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void;
  /** Runs once the body has arrived; charges what could not be known before. Null: nothing. */
  charge(request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> | null;
  /** Charges what an inflated body costs beyond its bytes as sent. */
  chargeInflated(
    request: FastifyRequest,
    reply: FastifyReply,
    bytes: { readonly sent: number; readonly inflated: number },
  ): Promise<void>;
}

/**
 * A body's Content-Length is counted before any byte is read: an admitted body is read to the end, and is not refused
 * half-way because others were faster. A slow or silent sender occupies that much of its own share until the request
 * times out; the shares of others are unaffected. Without a length, the bytes received so far are counted.
 */
export function bodyAdmission(
  dependencies: Pick<ApiDependencies, 'state' | 'now'> & { readonly bodyBudget: BodyBudget },
): BodyAdmission {
  const take = (request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> | null => {
    const { caller } = request;
    const cost = caller === null ? 0 : tokensForBytes(bytes, caller);
    return caller === null || cost === 0 ? null : takeFrom(caller, reply, cost);
  };
  const takeFrom = async (caller: Spender, reply: FastifyReply, cost: number): Promise<void> => {
    const rate = await spend(dependencies.state.admission, caller, cost);
    setRateHeaders(reply, rate, bucketOf(caller).ratePerSecond, dependencies.now());
    if (rate.retryAfterMs === 0) return;
    const seconds = retryAfterSeconds(rate);
    throw new Refusal('RATE_LIMITED', {
      message: `Rate limit exceeded: a body of this size counts as ${cost + 1} requests. Try again in ${seconds} s.`,
      retryAfterSeconds: seconds,
    });
  };
  return {
    admit(request, reply, done) {
      const held = dependencies.bodyBudget.open(request.caller?.customerId ?? request.ip);
      request.heldBody = held;
      whenOver(request, reply, () => held.end());
      const length = declaredLength(request);
      if (length === null || length > request.routeOptions.bodyLimit) {
        done();
        return;
      }
      held.take(length * MEMORY_PER_BYTE);
      const admitted = take(request, reply, length);
      if (admitted === null) done();
      else admitted.then(() => done(), done);
    },
    async chargeInflated({ caller }, reply, { sent, inflated }) {
      if (caller === null) return;
      const cost = tokensForBytes(inflated, caller) - tokensForBytes(sent, caller);
      if (cost > 0) await takeFrom(caller, reply, cost);
    },
    charge: (request, reply, bytes) =>
      declaredLength(request) === null ? take(request, reply, bytes) : null,
  };
}

/**
 * Calls back once, when the answer was sent or the connection closed. Answers to pipelined requests do not learn that
 * their connection has closed, so the connection is watched too.
 */
function whenOver(request: FastifyRequest, reply: FastifyReply, callBack: () => void): void {
  const { socket } = request.raw;
  let isOver = false;
  const over = (): void => {
    // A closing connection emits the answer's event first, then calls its own earlier listeners.
    if (isOver) return;
    isOver = true;
    socket.removeListener('close', over);
    callBack();
  };
  socket.setMaxListeners(0);
  reply.raw.on('close', over);
  socket.on('close', over);
  if (socket.destroyed) over();
}
