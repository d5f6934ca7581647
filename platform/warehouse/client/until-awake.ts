import type { Backoff } from '#platform/flow/backoff.ts';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import { type Warehouse, type WarehouseLogger, WarehouseUnavailable } from '../port.ts';
import { isRefusedUser } from './failures.ts';

interface Waiting {
  /** How long to wait for a server that does not answer; 0: not at all. */
  readonly waitMs: number;
  readonly logger: Pick<WarehouseLogger, 'info' | 'warn'>;
  /** For tests. */
  readonly backoff?: Backoff;
}

const BACKOFF: Backoff = { firstMs: 500, maxMs: 5_000 };

/**
 * Resolves when the warehouse answers: a server that was idle may need most of a minute for its first answer. Rejects
 * immediately with an error that waiting cannot cure, otherwise with the last `WarehouseUnavailable` when the time is
 * up.
 */
export async function untilAwake(
  warehouse: Pick<Warehouse, 'ping'>,
  { waitMs, logger, backoff = BACKOFF }: Waiting,
): Promise<void> {
  const clock = () => performance.now();
  const started = clock();
  const waited = (): number => Math.round(clock() - started);
  let isLate = false;
  await retryWithBackoff(
    {
      backoff,
      isRetryable: (error) => error instanceof WarehouseUnavailable && !isRefusedUser(error.code),
      limit: { timeoutMs: waitMs, clock, exhausted: (cause) => cause as Error },
      onRetry: (error) => {
        isLate = true;
        const fields = { waitedMs: waited(), waitMs, reason: (error as Error).message };
        logger.warn(fields, 'warehouse not ready; retrying');
      },
    },
    () => warehouse.ping(),
  );
  if (isLate) logger.info({ waitedMs: waited() }, 'warehouse ready');
}
