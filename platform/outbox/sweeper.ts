import type { Logger } from '../runtime/logger.ts';
import { flushOutbox, type OutboxParts } from './flush.ts';

export interface SweeperOptions extends OutboxParts {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Pause between sweeps that went well, in ms. */
  readonly intervalMs?: number;
  /** Longest pause after failed sweeps, in ms; the pause doubles up to here. */
  readonly maxPauseMs?: number;
}

export interface Sweeper {
  /** Waits for a sweep under way, then for good. */
  stop(): Promise<void>;
}

/** Documents looked at per sweep. */
const DOCUMENTS_PER_SWEEP = 500;

/**
 * Appends what a crash or an outage left pending, from time to time. A document that fails does not hold up the
 * others; while something fails the pauses grow.
 */
export function startSweeper(options: SweeperOptions): Sweeper {
  const { documents, logger, intervalMs = 1_000, maxPauseMs = 30_000 } = options;
  let stopped = false;
  let pauseMs = intervalMs;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  /** True when nothing failed. */
  const sweep = async (): Promise<boolean> => {
    let clean = true;
    for (const ref of await documents.withPending(DOCUMENTS_PER_SWEEP)) {
      if (stopped) return clean;
      try {
        const appended = await flushOutbox(options, ref);
        logger.info({ collection: ref.collection, appended }, 'appended entries that were left pending');
      } catch (err) {
        clean = false;
        logger.warn({ collection: ref.collection, err }, 'pending entries stay pending');
      }
    }
    return clean;
  };

  const round = async (): Promise<void> => {
    const clean = await sweep().catch((err: unknown) => {
      logger.warn({ err }, 'pending entries could not be listed');
      return false;
    });
    pauseMs = clean ? intervalMs : Math.min(pauseMs * 2, maxPauseMs);
    schedule();
  };

  const schedule = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = round();
    }, pauseMs);
  };

  schedule();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
