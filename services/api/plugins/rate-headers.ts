import type { FastifyReply } from 'fastify';
import type { RateState } from '../../../platform/state/port.ts';

/** Seconds, at least 1, that a refused caller is asked to wait. */
export const retryAfterSeconds = (rate: RateState): number =>
  Math.max(1, Math.ceil(rate.retryAfterMs / 1000));

/**
 * The state of the caller's token bucket: the X-RateLimit fields, and the RateLimit fields of the IETF draft
 * (q: size, w: seconds in which an empty bucket fills, r: whole tokens left, t: seconds until it is full).
 */
export function setRateHeaders(
  reply: FastifyReply,
  rate: RateState,
  ratePerSecond: number,
  now: number,
): void {
  const secondsToFull = Math.max(0, Math.ceil((rate.resetAt - now) / 1000));
  const window = Math.max(1, Math.ceil(rate.limit / Math.max(ratePerSecond, 0.001)));
  reply.header('x-ratelimit-limit', rate.limit);
  reply.header('x-ratelimit-remaining', rate.remaining);
  reply.header('x-ratelimit-reset', Math.ceil(rate.resetAt / 1000));
  reply.header('ratelimit-policy', `"default";q=${rate.limit};w=${window}`);
  reply.header('ratelimit', `"default";r=${rate.remaining};t=${secondsToFull}`);
}
