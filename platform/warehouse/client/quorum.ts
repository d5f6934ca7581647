import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';

/**
 * Cluster errors that pass within moments: another process's insert into the table is not on a majority yet (286), or
 * this replica has not fetched the newest rows (289). A failed insert into several partitions may have stored some of
 * them; a retry inserts the same rows, which collapse.
 */
const PASSING_CODES = new Set([286, 289]);
const PAUSES_MS = [25, 50, 100, 200, 400, 800, 1_600];

/** Retries transient refusals of a cluster for about three seconds, then throws the error. */
export async function untilQuorum<T>(
  run: () => Promise<T>,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ClickHouseError) || !PASSING_CODES.has(Number(error.code))) throw error;
      await sleep(pauseMs);
    }
  }
  return run();
}
