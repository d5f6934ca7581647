import type { Consumer, ConsumerHandlers } from '#platform/event-log/port.ts';
import { recentCustomers } from './failure/recent-customers.ts';
import type { RetryRoute } from './failure/retry-route.ts';
import { createCommitQueue } from './partition/commit-queue.ts';
import { createGate } from './partition/gate.ts';
import { STREAM_LIMITS, type StreamLimits, type StreamOptions } from './partition/options.ts';
import { type OwnedPartitions, ownedPartitions } from './partition/owned-partitions.ts';
import { PartitionWork } from './partition/partition-work.ts';
import type { PartitionStop } from './partition/stops.ts';
import type { PartitionWorkOptions } from './partition/work-options.ts';
import { watchProgress } from './progress.ts';
import { createTick } from './tick.ts';

export interface StreamHealth {
  readonly joined: boolean;
  /** False while a required dependency is unavailable. */
  readonly healthy: boolean;
  readonly stopped: Error | null;
  /** `topic/partition` of partitions with waiting records whose offset does not move. */
  readonly stalled: readonly string[];
  /**
   * Partitions that are stopped until an operator fixes the cause. The others work, so this does not affect readiness.
   */
  readonly stoppedPartitions: readonly PartitionStop[];
  /** The other properties combined, for readiness. */
  readonly ready: boolean;
}

export interface Stream {
  health(): StreamHealth;
  /** Ends the running work at its next pause, commits everything done and releases the partitions. */
  stop(): Promise<void>;
}

/**
 * The consumer loop of all services. Each batch of a partition goes through `process`. The records that it forwards
 * (results, retries, dead letters) are durable before its offset is committed, so a crash at any point repeats work and
 * never loses it. While a dependency is unavailable the same batch waits; nothing is skipped, and no attempt is spent.
 */
export async function runStream(options: StreamOptions): Promise<Stream> {
  const { log, group, topics, now = Date.now, clock = () => performance.now() } = options;
  const limits: StreamLimits = { ...STREAM_LIMITS, ...options.limits };
  const { maxRecords, gatherMs, commitEveryMs: everyMs } = limits;
  const partitions = ownedPartitions();
  let stopped: Error | null = null;
  const consumerOf = (): Promise<Consumer> => consumer;
  const shared: Shared = {
    ...options,
    limits,
    now,
    clock,
    gate: createGate(),
    commits: createCommitQueue({ ...options, consumer: consumerOf, everyMs }),
    tick: createTick(gatherMs),
    recentSuccesses: recentCustomers(clock),
    consumer: consumerOf,
  };
  const onStopped = (error: Error): void => {
    stopped = error;
    options.logger.error({ group, err: error }, 'consumer stopped');
    options.onStopped?.(error);
  };
  const handlers = { ...handlersOf(shared, partitions), onStopped };
  const consumer: Promise<Consumer> = log.consume({ group, topics, maxRecords, gatherMs, handlers });
  const joined = await consumer;
  const progress = watchProgress({
    log,
    group,
    topics,
    owns: partitions.has,
    isStopped: (topic, partition) =>
      partitions.has(topic, partition) && partitions.get(topic, partition).stopper.stop() !== null,
    clock,
    checkMs: limits.progressCheckMs,
    stalledAfterMs: limits.stalledAfterMs,
    onLag: (topic, partition, lag) => options.metrics?.lag?.(topic, partition, lag),
  });

  return {
    health: () => {
      const healthy = stopped === null && partitions.all().every((one) => one.reachable());
      const stalled = progress.stalled();
      const ready = joined.joined && healthy && stalled.length === 0;
      const stops = partitions.all().map(({ stopper }) => stopper.stop());
      const stoppedPartitions = stops.filter((stop) => stop !== null);
      return { joined: joined.joined, healthy, stopped, stalled, stoppedPartitions, ready };
    },
    stop: async () => {
      progress.stop();
      // Before the log revokes the partitions, because it refuses their commits afterwards.
      await Promise.all(partitions.all().map((one) => one.settle()));
      await joined.stop();
      await Promise.all(partitions.all().map((one) => one.end()));
    },
  };
}

/** Options shared by the work on all partitions of a stream. */
type Shared = Omit<PartitionWorkOptions, 'topic' | 'partition' | 'assignment'>;

function handlersOf(shared: Shared, partitions: OwnedPartitions): ConsumerHandlers {
  return {
    onAssigned: async (assignment, lost) => {
      const { topic, partition, committed, start } = assignment;
      const assigned = new PartitionWork({ ...shared, topic, partition, assignment });
      partitions.add(topic, partition, assigned);
      const from = await assigned.stopper.retryUntilPossible(lost, () =>
        assigned.retry(lost, () => shared.onAssigned?.(assignment)),
      );
      assigned.startAt(from ?? committed ?? start);
      return from;
    },
    onBatch: async (batch, signal) => {
      await partitions.get(batch.topic, batch.partition).run(batch, signal);
    },
    onGap: (gap, signal) => partitions.get(gap.topic, gap.partition).handleGap(gap, signal),
    onRevoked: async (topic, partition) => {
      // Absent when the partition was lost before its work started. Removed last: until then the partition must not be
      // added again.
      if (partitions.has(topic, partition)) await partitions.get(topic, partition).end();
      partitions.remove(topic, partition);
    },
  };
}

/** Topics of a consumer with retries: the main topics and each retry topic. */
export const topicsWithRetries = (main: readonly string[], route: RetryRoute): string[] => [
  ...main,
  ...route.retries.map((retry) => retry.topic),
];
