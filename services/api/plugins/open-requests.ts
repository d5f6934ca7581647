import type { FastifyRequest } from 'fastify';
import { getLive, getReady } from '../../../schemas/api/operation.ts';
import { ApiError } from '../errors.ts';
import { createAddressBuckets } from './address-buckets.ts';

/** Far above a scraper and a person who reads the documentation. */
const LIMIT = { perSecond: 50, burst: 200 };

/** A probe that were refused would take the service away from everybody: it is held for a moment instead. */
const PROBES: ReadonlySet<string | undefined> = new Set([getLive.path, getReady.path]);

export interface OpenRequests {
  /** The guard of what needs no key. */
  limit(request: FastifyRequest): Promise<void>;
  /** The error to answer what no guard ever sees with: the given one, or 429 when the address asks too often. */
  refuse(address: string | undefined, error: ApiError): ApiError;
}

/**
 * Limits what is answered without a key by the address that asks: there is nobody else to count it for. One bucket holds
 * for operations that need none and for what is refused before anybody asks for one, so that neither is a way around the
 * other.
 */
export function openRequests(now: () => number, holdProbe: () => Promise<void>): OpenRequests {
  const buckets = createAddressBuckets(LIMIT, now);
  const tooMany = (): ApiError =>
    new ApiError('RATE_LIMITED', {
      message: 'Too many requests without a key from this address; repeat the request later',
      headers: { 'retry-after': '1' },
    });
  return {
    async limit(request) {
      if (buckets.take(request.ip)) return;
      if (PROBES.has(request.routeOptions.url)) return holdProbe();
      throw tooMany();
    },
    // A connection that is gone has no address any more.
    refuse: (address = '', error) => (buckets.take(address) ? error : tooMany()),
  };
}
