import type { FastifyInstance } from 'fastify';
import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import type { LedgerWatch } from '#records/comparison/ledger-watch.ts';
import { ALWAYS_SERVED } from '#schemas/api/contract.ts';

const OLDER_RETRY_SECONDS = 30;

/**
 * Refuses every request except probes while the state may be older than the ledger, because anything revoked since
 * would work again. Once the state is found to be older, streams and requests in progress end too.
 */
export function refuseWithOlderState(
  app: FastifyInstance,
  ledger: Pick<LedgerWatch, 'standing' | 'onOlder'>,
): void {
  const open = new Set<string | undefined>(ALWAYS_SERVED);
  app.addHook('onRequest', (request, _reply, done) => {
    const status = ledger.standing();
    done(status === 'CURRENT' || open.has(request.routeOptions.url) ? undefined : refusalOf(status));
  });
  ledger.onOlder(() => app.server.closeAllConnections());
}

const refusalOf = (status: 'UNCOMPARED' | 'OLDER'): Refusal =>
  status === 'OLDER'
    ? new Refusal('STATE_OLDER', { retryAfterSeconds: OLDER_RETRY_SECONDS })
    : unavailable(new Error('the state was reconnected and is being compared with the ledger'));
