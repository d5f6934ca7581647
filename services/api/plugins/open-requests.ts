import type { FastifyRequest } from 'fastify';
import { getLive, getReady } from '../../../schemas/api/operation.ts';
import { ApiError } from '../errors.ts';
import { createAddressBuckets } from './address-buckets.ts';

/** Far above a scraper and a person who reads the documentation. */
const LIMIT = { perSecond: 50, burst: 200 };

/** A probe that were refused would take the service away from everybody: it is held for a moment instead. */
const PROBES: ReadonlySet<string | undefined> = new Set([getLive.path, getReady.path]);

/** Limits what needs no key by the address that asks: there is nobody else to count it for. */
export function limitOpenRequests(
  now: () => number,
  holdProbe: () => Promise<void>,
): (request: FastifyRequest) => Promise<void> {
  const buckets = createAddressBuckets(LIMIT, now);
  return async (request) => {
    if (buckets.take(request.ip)) return;
    if (PROBES.has(request.routeOptions.url)) return holdProbe();
    throw new ApiError('RATE_LIMITED', {
      message: 'Too many requests without a key from this address; repeat the request later',
      headers: { 'retry-after': '1' },
    });
  };
}
