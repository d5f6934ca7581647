import type { RateBuckets } from './rate-buckets.ts';
import type { Expiry } from './store/expiry.ts';

interface SweeperOptions {
  readonly expiry: Expiry;
  readonly buckets: RateBuckets;
  readonly logger?: { warn(details: object, message: string): void };
}

/** About a millisecond of work at a time, so that requests are hardly delayed. */
const CHUNK = 200;
const IDLE_MS = 1_000;
/** Interval while chunks are full: up to 10,000 rows a second, more than ingest can create. */
const BUSY_MS = 20;

/** Deletes expired rows and full buckets in bounded steps. Does not keep the process alive. */
export function startSweeper({ expiry, buckets, logger }: SweeperOptions): { stop(): void } {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const later = (ms: number): void => {
    if (!stopped) timer = setTimeout(() => void step(), ms).unref();
  };
  async function step(): Promise<void> {
    let swept = 0;
    try {
      swept = await expiry.sweep(CHUNK);
      buckets.prune(CHUNK);
    } catch (error) {
      // Expired rows are invisible anyway, and the state itself refuses calls if the store is at fault.
      if (!stopped) logger?.warn({ err: error }, 'failed to delete expired state rows; retrying');
    }
    later(swept >= CHUNK ? BUSY_MS : IDLE_MS);
  }
  later(IDLE_MS);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
