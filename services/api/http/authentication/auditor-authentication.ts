import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { Refusal } from '#platform/flow/refusal.ts';
import type { RouteContract } from '#schemas/api/contract.ts';
import { statusOf } from '../errors/refusals.ts';
import { setRateHeaders } from '../limits/rate-headers.ts';
import {
  type AdmitDependencies,
  AUDITOR_RATE,
  type AuditorCall,
  admitAuditor,
  noteUnknownPath,
} from './admit-auditor.ts';
import type { FailedAuthentication } from './failed-authentication.ts';

const REFUSED = 'cas_auditor_calls_refused_total';

/** Auditors' calls without a ledger entry. */
export const refusedCalls = (registry: Registry): Counter<'reason'> =>
  (registry.getSingleMetric(REFUSED) as Counter<'reason'> | undefined) ??
  new Counter({
    name: REFUSED,
    help: 'Refused calls to /auditor that have no ledger entry, by reason',
    labelNames: ['reason'],
    registers: [registry],
  });

const callOf = ({ headers, query, params }: FastifyRequest): AuditorCall => ({
  authorization: headers.authorization,
  query: query as AuditorCall['query'],
  params: params as AuditorCall['params'],
});

/** Runs before any other check of the request. Nothing is cached, so a revoked token fails at once. */
export function authenticateAuditor(
  dependencies: AdmitDependencies,
  failed: FailedAuthentication,
): (request: FastifyRequest, reply: FastifyReply, contract: RouteContract) => Promise<void> {
  return async (request, reply, contract) => {
    const grant = await admitAuditor(dependencies, callOf(request), contract, (rate) =>
      setRateHeaders(reply, rate, AUDITOR_RATE.ratePerSecond, dependencies.now()),
    ).catch((error: unknown) => {
      if (!(error instanceof Refusal) || statusOf(error) !== 401) throw error;
      throw failed.refuse(request.ip, error);
    });
    request.caller = grant;
  };
}

const AUDITOR_PATH = /^\/auditor(\/|$)/;

/** Records calls to unknown paths below /auditor. */
export const unknownAuditorPaths =
  (dependencies: AdmitDependencies) =>
  async (request: FastifyRequest): Promise<void> => {
    if (AUDITOR_PATH.test(request.url.split('?', 1)[0]!))
      await noteUnknownPath(dependencies, callOf(request));
  };
