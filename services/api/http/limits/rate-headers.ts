import type { FastifyReply } from 'fastify';
import type { RateState } from '#platform/state/port.ts';

/**
 * The state of the caller's token bucket: the X-RateLimit fields, and the RateLimit fields of the IETF draft (q: size,
 * w: seconds to fill an empty bucket, r: whole tokens left, t: seconds until it is full).
 */
export function rateHeaders(rate: RateState, ratePerSecond: number, now: number): Record<string, string> {
  const secondsToFull = Math.max(0, Math.ceil((rate.resetAt - now) / 1000));
  const window = Math.max(1, Math.ceil(rate.limit / Math.max(ratePerSecond, 0.001)));
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(Math.ceil(rate.resetAt / 1000)),
    'ratelimit-policy': `"default";q=${rate.limit};w=${window}`,
    ratelimit: `"default";r=${rate.remaining};t=${secondsToFull}`,
  };
}

export function setRateHeaders(
  reply: FastifyReply,
  rate: RateState,
  ratePerSecond: number,
  now: number,
): void {
  reply.headers(rateHeaders(rate, ratePerSecond, now));
}
