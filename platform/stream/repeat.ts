import { untilDone } from './outage.ts';
import type { PartitionWorkOptions } from './partition-work.ts';

export interface Repeater {
  /** Does `work` as often as outages demand; throws when the signal fires. `mayRepeat`: what counts as an outage. */
  repeat<Result>(
    signal: AbortSignal,
    work: () => Promise<Result> | Result,
    mayRepeat?: (error: unknown) => boolean,
  ): Promise<Result>;
  /** False while the work waits for a part that cannot be reached. */
  reachable(): boolean;
}

type Options = Pick<
  PartitionWorkOptions,
  'topic' | 'partition' | 'limits' | 'isOutage' | 'metrics' | 'logger'
>;

/** Repeats the work of one partition through outages, and knows whether one is going on. */
export function createRepeater(options: Options): Repeater {
  const { topic, partition, limits, metrics, logger } = options;
  let reachable = true;
  const onOutage = (err: unknown, pauseMs: number): void => {
    reachable = false;
    metrics?.outage?.(topic);
    logger.warn({ topic, partition, pauseMs: Math.round(pauseMs), err }, 'waiting for a part; repeating');
  };
  return {
    reachable: () => reachable,
    repeat: async (signal, work, mayRepeat = options.isOutage) => {
      try {
        return await untilDone({ signal, backoff: limits.backoff, isOutage: mayRepeat, onOutage }, work);
      } finally {
        reachable = true;
      }
    },
  };
}
