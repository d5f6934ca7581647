import type { Warehouse } from '#platform/warehouse/port.ts';
import type { Caller } from '../caller.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { type CustomerSemaphore, createCustomerSemaphore } from './customer-semaphore.ts';

/** The semaphores for a process's expensive requests. */
export interface CostlyWork {
  readonly read: CustomerSemaphore;
  readonly verification: CustomerSemaphore;
  readonly correlation: CustomerSemaphore;
  readonly replay: CustomerSemaphore;
}

/**
 * A dashboard requests some ten tiles at once, and a client many audits that it sent together: they wait briefly for
 * each other instead of being refused. The engine has 32 connections, of which exports may hold 16.
 */
const READS = {
  atOnce: 6,
  perCustomer: 2,
  perCustomerOn: { DEV: 1 },
  waitingPerCustomer: 200,
  waiting: 2_000,
  retryAfterSeconds: 1,
};
/** Each holds the rest of a chunk in memory, so only a few may be in progress; chunks take turns. */
const VERIFICATIONS = {
  atOnce: 16,
  perCustomer: 1,
  waitingPerCustomer: 4,
  waiting: 64,
  retryAfterSeconds: 5,
};
/** Until the answer: a run that continues after it is counted by `pattern-runs.ts`. */
const CORRELATIONS = {
  atOnce: 1,
  perCustomer: 1,
  waitingPerCustomer: 4,
  waiting: 32,
  retryAfterSeconds: 5,
};
/** Each holds 16 records of up to 4 MiB, for up to 20 s. */
const REPLAYS = { atOnce: 2, perCustomer: 1, waitingPerCustomer: 50, waiting: 500, retryAfterSeconds: 5 };

export const createCostlyWork = (): CostlyWork => ({
  read: createCustomerSemaphore(READS),
  verification: createCustomerSemaphore(VERIFICATIONS),
  correlation: createCustomerSemaphore(CORRELATIONS),
  replay: createCustomerSemaphore(REPLAYS),
});

/** For a delayed answer that polls: each of its reads waits for its turn, and it takes no turn while it pauses. */
export const readingInTurns = <Dependencies extends Pick<ApiDependencies, 'warehouse'>>(
  { costly, ...dependencies }: Dependencies & { readonly costly: Pick<CostlyWork, 'read'> },
  { customerId, customer }: Caller,
  { gone }: { readonly gone: AbortSignal },
) => ({
  ...dependencies,
  warehouse: {
    ...dependencies.warehouse,
    query: ((...query) =>
      costly.read.during(customerId, { gone, plan: customer.plan }, () =>
        dependencies.warehouse.query(...query),
      )) as Warehouse['query'],
  },
});
