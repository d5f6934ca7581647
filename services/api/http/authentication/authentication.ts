import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import { API_KEY_PREFIX, apiKeyHash } from '#records/keys/api-keys.ts';
import { CSRF_HEADER } from '#schemas/api/accounts/cookie.ts';
import { needsCsrfToken, type RouteContract } from '#schemas/api/contract.ts';
import { type AuditorCaller, type Caller, callerByKey, type SentSession } from '../../operations/caller.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { rateLimited, SESSION_RATE } from '../../operations/limits/caller-rate.ts';
import { setRateHeaders } from '../limits/rate-headers.ts';
import { clientOf } from './client.ts';
import type { FailedAuthentication } from './failed-authentication.ts';
import { malformedKey, missingKey } from './key-hints.ts';
import { isCsrfToken, sentSession } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | AuditorCaller | null;
  }
}

type AuthenticationDependencies = Pick<ApiDependencies, 'state' | 'now' | 'settings'>;
type Guard = (request: FastifyRequest, reply: FastifyReply, contract: RouteContract) => Promise<void>;

const KEY_PATTERN = new RegExp(`^${API_KEY_PREFIX}[0-9a-f]{48}$`);

/**
 * Runs before the body is read. One atomic call of the state finds the key, or without a key the session, and takes a
 * token from its bucket. Nothing is cached, so a revoked key or session fails on the next request.
 */
export function authenticateCustomer(
  dependencies: AuthenticationDependencies,
  failed: FailedAuthentication,
): Guard {
  const { keyHeader } = dependencies.settings;
  const byKey = authenticateKey(dependencies, failed);
  const bySession = authenticateSession(dependencies, failed);
  return (request, reply, contract) => {
    const key = request.headers[keyHeader];
    if (key !== undefined) return byKey(request, reply, contract, key);
    const session = sentSession(clientOf(request));
    return session === null
      ? byKey(request, reply, contract, '')
      : bySession(request, reply, contract, session);
  };
}

function authenticateKey(
  { state, now, settings: { keyHeader } }: AuthenticationDependencies,
  failed: FailedAuthentication,
) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { auth }: RouteContract,
    key: string | readonly string[],
  ): Promise<void> => {
    if (typeof key !== 'string' || key === '') {
      const missing = auth === 'session' ? new Refusal('MISSING_SESSION') : missingKey(request, keyHeader);
      throw failed.refuse(request.ip, missing);
    }
    if (!KEY_PATTERN.test(key)) throw failed.refuse(request.ip, malformedKey(keyHeader, key));
    const found = await state.admission.authenticate(apiKeyHash(key));
    if (found.outcome === 'unknown' || !found.customer.active) {
      throw failed.refuse(request.ip, new Refusal('INVALID_KEY'));
    }
    setRateHeaders(reply, found.rate, found.customer.ratePerSecond, now());
    if (auth === 'session') throw new Refusal('SESSION_REQUIRED');
    if (found.outcome === 'limited') throw rateLimited(found.rate);
    request.caller = callerByKey(found.customerId, found.customer as CustomerRecord, found.keyId);
  };
}

function authenticateSession({ state, now }: AuthenticationDependencies, failed: FailedAuthentication) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    contract: RouteContract,
    session: SentSession | 'MALFORMED',
  ): Promise<void> => {
    if (session === 'MALFORMED') throw failed.refuse(request.ip, new Refusal('INVALID_SESSION'));
    const { customerId, sessionId } = session;
    const found = await state.admission.authenticateSession(customerId, sessionId, SESSION_RATE);
    if (found.outcome === 'unknown') throw failed.refuse(request.ip, new Refusal('INVALID_SESSION'));
    setRateHeaders(reply, found.rate, SESSION_RATE.ratePerSecond, now());
    if (needsCsrfToken(contract) && !isCsrfToken(request.headers[CSRF_HEADER], session.token))
      throw new Refusal('CSRF');
    if (found.outcome === 'limited') throw rateLimited(found.rate);
    const actor = `user:${found.userId}`;
    request.caller = {
      customerId,
      customer: found.customer as CustomerRecord,
      actor,
      madeBy: actor,
      session: { ...session, userId: found.userId },
    };
  };
}
