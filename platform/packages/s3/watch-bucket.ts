import { startBackgroundJob } from '#platform/flow/background-job.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Look } from '#platform/telemetry/readiness/readiness.ts';
import { PackageStorageUnavailable } from '../port.ts';

interface WatchOptions {
  /** Throws if packages cannot be stored. */
  readonly check: () => Promise<void>;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly everyMs?: number;
}

interface BucketWatch {
  /**
   * Result of the last check. If it fails, the process still accepts requests: packages wait, and everything else
   * works.
   */
  look(): Promise<Look>;
  stop(): Promise<void>;
}

const EVERY_MS = 30_000;

/** Checks the bucket at startup and periodically, and logs what to do if it cannot be used. */
export function watchBucket({ check, logger, everyMs = EVERY_MS }: WatchOptions): BucketWatch {
  let trouble: string | null = null;
  const note = (found: string | null): void => {
    if (found === trouble) return;
    trouble = found;
    if (found === null) logger.info({}, 'package storage available again');
    else logger.error({ reason: found }, 'package storage unavailable; retrying');
  };
  const job = startBackgroundJob({
    firstAfterMs: 0,
    everyMs,
    run: async () => {
      await check();
      note(null);
    },
    // Every message of the adapter is written by this service.
    onFailure: (error) =>
      note(
        error instanceof PackageStorageUnavailable
          ? error.message
          : `cannot use the bucket: ${(error as Error).message}`,
      ),
  });
  return {
    look: async () => (trouble === null ? { ok: true } : { ok: false, message: trouble, serves: true }),
    stop: job.stop,
  };
}
