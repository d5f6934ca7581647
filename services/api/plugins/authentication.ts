import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_KEY_PREFIX, apiKeyHash } from '#services/customers/api-keys.ts';
import type { CustomerRecord } from '#services/customers/records.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { ApiError } from '../errors.ts';
import type { AuditorCaller } from './auditor-authentication.ts';
import type { FailedAuthentication } from './failed-authentication.ts';
import { rateLimited, setRateHeaders } from './rate-headers.ts';

/** The caller, proven by an API key. */
export interface Caller {
  readonly customerId: string;
  readonly keyId: string;
  readonly customer: CustomerRecord;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | AuditorCaller | null;
  }
}

const KEY_PATTERN = new RegExp(`^${API_KEY_PREFIX}[0-9a-f]{48}$`);

/**
 * Runs before the body is read: one atomic call of the state that finds the key and takes a token from the customer's
 * bucket. Nothing is cached, so a revoked key fails on the next request.
 */
export function authenticateKey(
  dependencies: Pick<ApiDependencies, 'state' | 'now' | 'settings'>,
  failed: FailedAuthentication,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { keyHeader } = dependencies.settings;
  return async (request, reply) => {
    const key = request.headers[keyHeader];
    if (typeof key !== 'string' || key === '') {
      throw failed.refuse(
        request.ip,
        new ApiError('MISSING_KEY', { message: `Missing ${keyHeader} header` }),
      );
    }
    if (!KEY_PATTERN.test(key)) throw failed.refuse(request.ip, new ApiError('INVALID_KEY'));
    const found = await dependencies.state.admission.authenticate(apiKeyHash(key));
    if (found.outcome === 'unknown' || !found.customer.active) {
      throw failed.refuse(request.ip, new ApiError('INVALID_KEY'));
    }
    setRateHeaders(reply, found.rate, found.customer.ratePerSecond, dependencies.now());
    if (found.outcome === 'limited') throw rateLimited(found.rate);
    request.caller = {
      customerId: found.customerId,
      keyId: found.keyId,
      customer: found.customer as CustomerRecord,
    };
  };
}
