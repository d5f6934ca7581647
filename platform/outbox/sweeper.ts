import { startBackgroundJob } from '#platform/flow/background-job.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { flushOutbox, type OutboxDependencies } from './flush.ts';

interface SweeperOptions extends OutboxDependencies {
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  /** Pause between successful sweeps, in ms. */
  readonly intervalMs?: number;
  /** Longest pause after failed sweeps, in ms; the pause doubles up to this value. */
  readonly maxPauseMs?: number;
}

/** Documents per sweep. */
const DOCUMENTS_PER_SWEEP = 500;

/**
 * Periodically appends entries that a crash or an outage left pending. A failing document does not delay the others;
 * while any document fails, the pauses grow.
 */
export function startSweeper(options: SweeperOptions): { stop(): Promise<void> } {
  const { documents, logger, intervalMs = 1_000, maxPauseMs = 30_000 } = options;
  return startBackgroundJob({
    everyMs: intervalMs,
    maxPauseMs,
    onFailure: (err) => logger.warn({ err }, 'failed to list pending outbox entries; retrying'),
    run: async (stopping) => {
      let clean = true;
      for (const ref of await documents.withPending(DOCUMENTS_PER_SWEEP)) {
        if (stopping.aborted) return clean;
        try {
          const appended = await flushOutbox(options, ref);
          logger.debug({ collection: ref.collection, appended }, 'outbox flushed');
        } catch (err) {
          clean = false;
          logger.warn({ collection: ref.collection, err }, 'failed to flush outbox; retrying');
        }
      }
      return clean;
    },
  });
}
