import type { EventLog } from '#platform/event-log/port.ts';

interface ProgressOptions {
  readonly log: Pick<EventLog, 'lag'>;
  readonly group: string;
  readonly topics: readonly string[];
  /** Whether this consumer owns the partition. */
  readonly owns: (topic: string, partition: number) => boolean;
  /** Whether the partition is stopped on purpose. */
  readonly isStopped: (topic: string, partition: number) => boolean;
  /** Monotonic, ms. */
  readonly clock: () => number;
  /** Interval between checks, ms. */
  readonly checkMs: number;
  /** A partition without a commit for this long while records wait counts as stalled, ms. */
  readonly stalledAfterMs: number;
  readonly onLag: (topic: string, partition: number, lag: number) => void;
}

interface Progress {
  /** `topic/partition` of each owned partition with waiting records whose offset has not moved for too long. */
  stalled(): string[];
  stop(): void;
}

/**
 * Checks that the group's offsets move while records wait. A consumer can be joined without any error and still do
 * nothing (when its client lost the connection silently); only the offset shows it.
 */
export function watchProgress(options: ProgressOptions): Progress {
  const seen = new Map<string, { committed: number | null; since: number }>();

  const check = async (): Promise<void> => {
    const now = options.clock();
    for (const { topic, partition, committed, lag } of await options.log.lag(options.group, options.topics)) {
      const name = `${topic}/${partition}`;
      if (!options.owns(topic, partition)) {
        seen.delete(name);
        continue;
      }
      options.onLag(topic, partition, lag);
      const before = seen.get(name);
      const mayStand = lag === 0 || options.isStopped(topic, partition);
      if (mayStand || before === undefined || before.committed !== committed) {
        seen.set(name, { committed, since: now });
      }
    }
  };

  // Ignored: an unreachable log is reported elsewhere (appends, commits, its own health check).
  const timer = setInterval(() => void check().catch(() => undefined), options.checkMs);
  timer.unref();
  return {
    stalled: () => {
      const limit = options.clock() - options.stalledAfterMs;
      return [...seen].filter(([, { since }]) => since <= limit).map(([name]) => name);
    },
    stop: () => clearInterval(timer),
  };
}
