import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import { getLive, getReady } from '#schemas/api/operation.ts';
import { createAddressBuckets } from '../../operations/limits/address-buckets.ts';

/** Far more than a scraper or a person who reads the documentation needs. */
const LIMIT = { perSecond: 50, burst: 200 };
/** Many addresses, each within its limit, could otherwise keep the event loop from requests that have a key. */
const TOGETHER = { perSecond: 500, burst: 500 };
const EVERYBODY = 'everybody';

/** Refusing a probe would take the service down for everybody: it is delayed instead. */
const PROBES: ReadonlySet<string | undefined> = new Set([getLive.path, getReady.path]);

export interface OpenRequests {
  /** The guard of requests that need no key. */
  limit(request: FastifyRequest): Promise<void>;
  /** The error to answer with where no guard runs: the given one, or 429 when the address asks too often. */
  refuse(address: string | undefined, error: Refusal): Refusal;
}

/**
 * Limits requests that are answered without a key, by client address: there is nobody else to count them for.
 * Operations without a key share one bucket with requests refused before authentication, so that neither is a way
 * around the other. What all addresses ask for together is not refused, only held: whoever waits for an answer before
 * it asks again gets no more than a few a second on each connection.
 */
export function openRequests(now: () => number, hold: () => Promise<void>): OpenRequests {
  const buckets = createAddressBuckets(LIMIT, now);
  const together = createAddressBuckets(TOGETHER, now);
  const tooMany = (): Refusal =>
    new Refusal('RATE_LIMITED', {
      message: 'Too many requests without a key from this address. Try again later.',
      retryAfterSeconds: 1,
    });
  return {
    async limit(request) {
      if (buckets.take(request.ip)) return together.take(EVERYBODY) ? undefined : hold();
      if (PROBES.has(request.routeOptions.url)) return hold();
      throw tooMany();
    },
    // A closed connection has no address any more.
    refuse: (address = '', error) => (buckets.take(address) ? error : tooMany()),
  };
}
