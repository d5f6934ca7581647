import type { Stream } from '#platform/stream/run-stream.ts';
import type { Logger } from '../logger.ts';

interface StallWatchOptions {
  readonly stream: Pick<Stream, 'health'>;
  readonly logger: Pick<Logger, 'fatal'>;
  /** Monotonic, ms: a wall clock that is set forward must not end a working process. */
  readonly clock: () => number;
  /** Interval between checks, ms. */
  readonly checkMs: number;
  /** A consumer that could work but does not for this long is given up, ms. */
  readonly limitMs: number;
  /** Called once. */
  readonly giveUp: () => void;
}

/**
 * Gives up a consumer that does not work without a known reason: its offsets stand still while records wait, or it is
 * out of its group, although all its dependencies answer. A fresh process cures that. A consumer that stopped by itself
 * is left alone, red: a restart would only repeat it. So are one that waits for a dependency, and stopped partitions,
 * which never count as stalled. Returns the function that stops watching.
 */
export function watchForStall(options: StallWatchOptions): () => void {
  let since: number | null = null;
  const timer = setInterval(() => {
    const health = options.stream.health();
    const isStuck =
      health.stopped === null && health.healthy && (!health.joined || health.stalled.length > 0);
    if (!isStuck) since = null;
    else since ??= options.clock();
    if (since === null || options.clock() - since < options.limitMs) return;
    clearInterval(timer);
    options.logger.fatal(
      { joined: health.joined, stalled: health.stalled, timeoutMs: options.limitMs },
      'consumer stalled; exiting',
    );
    options.giveUp();
  }, options.checkMs);
  timer.unref();
  return () => clearInterval(timer);
}
