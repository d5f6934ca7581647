import type { EventLog } from '#platform/event-log/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { partitionOfCustomer } from '#records/ledger/folded.ts';
import { LEDGER } from '#schemas/topics.ts';
import { createCustomerSemaphore } from '../../operations/limits/customer-semaphore.ts';
import { type LedgerPasses, verifyPass } from './pass.ts';

/** Long and short chains take turns, chunk by chunk. Never refused: passes are limited before they start. */
const CHUNKS = { atOnce: 2, perCustomer: 1, waitingPerCustomer: 64, waiting: 256, retryAfterSeconds: 5 };

export const logEndOf =
  (log: Pick<EventLog, 'bounds'>) =>
  async (customerId: string): Promise<number> =>
    (await log.bounds(LEDGER.name, partitionOfCustomer(customerId))).end;

/** Verifies on the calling thread. */
export function passesHere(dependencies: {
  readonly warehouse: Warehouse;
  readonly logEnd: (customerId: string) => Promise<number>;
}): LedgerPasses {
  const chunks = createCustomerSemaphore(CHUNKS);
  return { run: (pass, watch) => verifyPass({ ...dependencies, chunks }, pass, watch) };
}
