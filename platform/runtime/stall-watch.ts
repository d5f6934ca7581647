import type { Stream } from '../stream/run-stream.ts';
import type { Logger } from './logger.ts';

export interface StallWatchOptions {
  readonly stream: Pick<Stream, 'health'>;
  readonly logger: Pick<Logger, 'fatal'>;
  /** Milliseconds of a clock that nobody sets: one set forward must not end a process that works. */
  readonly clock: () => number;
  /** How often to look, ms. */
  readonly checkMs: number;
  /** A consumer that may work and does not for so long is given up, ms. */
  readonly limitMs: number;
  /** Called once. */
  readonly giveUp: () => void;
}

/**
 * Gives a consumer up that neither works nor says why: its offsets stand still while records wait, or it is out of
 * its group, though every part answers. A fresh process cures that. A consumer that stopped by itself is left alone, red:
 * a restart would only repeat it. So are one that waits for a part, and partitions that are stopped, which never count
 * as stalled. Returns how to stop watching.
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
      { joined: health.joined, stalled: health.stalled, limitMs: options.limitMs },
      'the consumer does not move though it could; leaving, so that a fresh process takes over',
    );
    options.giveUp();
  }, options.checkMs);
  timer.unref();
  return () => clearInterval(timer);
}
