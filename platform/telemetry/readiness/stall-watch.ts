import type { Stream } from '#platform/stream/run-stream.ts';
import type { Logger } from '../logger.ts';

interface StallWatchOptions {
  readonly stream: Pick<Stream, 'health'>;
  readonly logger: Pick<Logger, 'fatal'>;
  /** Monotonic, ms: setting a wall clock forward must not end a working process. */
  readonly clock: () => number;
  /** Interval between checks, ms. */
  readonly checkMs: number;
  /** Time after which a consumer that could work but does not is abandoned, ms. */
  readonly limitMs: number;
  /** Called once. */
  readonly giveUp: () => void;
}

/**
 * Abandons a consumer that does not work for no known reason: its offsets do not advance while records wait, or it is
 * out of its group, although all its dependencies answer. A new process cures that. A consumer that stopped on its own
 * is left alone, not ready: a restart would only repeat it. So is one that waits for a dependency. Stopped partitions
 * never count as stalled. Returns the function that stops watching.
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
