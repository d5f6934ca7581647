import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import { getLive, getReady } from '#schemas/api/operation.ts';
import { createAddressBuckets } from '../../operations/limits/address-buckets.ts';

/** Far more than a scraper or a person reading the documentation needs. */
const LIMIT = { perSecond: 50, burst: 200 };
/** Otherwise many addresses, each within its limit, could keep the event loop from requests with a key. */
const TOGETHER = { perSecond: 500, burst: 500 };
const EVERYBODY = 'everybody';

/** Refusing a probe would take the service down for everyone, so it is delayed instead. */
const PROBES: ReadonlySet<string | undefined> = new Set([getLive.path, getReady.path]);

export interface OpenRequests {
  /** The guard for requests that need no key. */
  limit(request: FastifyRequest): Promise<void>;
  /** The error to answer with where no guard runs: the given one, or 429 if the address sends too many requests. */
  refuse(address: string | undefined, error: Refusal): Refusal;
}

/**
 * Limits requests answered without a key, by client address: there is no caller to count them for. Operations without a
 * key share one bucket with requests refused before authentication, so neither is a way around the other. Beyond the
 * limit of all addresses together, requests are not refused but delayed: a client that waits for an answer before its
 * next request gets no more than a few a second on each connection.
 */
export function openRequests(now: () => number, delay: () => Promise<void>): OpenRequests {
  const buckets = createAddressBuckets(LIMIT, now);
  const together = createAddressBuckets(TOGETHER, now);
  const tooMany = (): Refusal =>
    new Refusal('RATE_LIMITED', {
      message: 'Too many requests without a key from this address. Try again later.',
      retryAfterSeconds: 1,
    });
  return {
    async limit(request) {
      if (buckets.take(request.ip)) return together.take(EVERYBODY) ? undefined : delay();
      if (PROBES.has(request.routeOptions.url)) return delay();
      throw tooMany();
    },
    // A closed connection no longer has an address.
    refuse: (address = '', error) => (buckets.take(address) ? error : tooMany()),
  };
}
