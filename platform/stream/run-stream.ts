import type { Batch, Consumer } from '../event-log/port.ts';
import { createBeat } from './beat.ts';
import { createCommitQueue } from './commit-queue.ts';
import { createGate } from './gate.ts';
import { STREAM_LIMITS, type StreamLimits, type StreamOptions } from './options.ts';
import { isOutage as isKnownOutage } from './outage.ts';
import { ownedPartitions } from './owned-partitions.ts';
import type { PartitionStop } from './partition-hold.ts';
import { partitionWork } from './partition-work.ts';
import { watchProgress } from './progress.ts';
import { recentCustomers } from './recent-customers.ts';
import type { RetryRoute } from './retry-route.ts';

export interface StreamHealth {
  readonly joined: boolean;
  /** False while a part that is needed cannot be reached. */
  readonly healthy: boolean;
  readonly stopped: Error | null;
  /** `topic/partition` of partitions with waiting records whose offset does not move. */
  readonly stalled: readonly string[];
  /** Partitions that cannot go on until somebody mends what stops them. The others work, so this ends no readiness. */
  readonly stoppedPartitions: readonly PartitionStop[];
  /** The others together, for readiness. */
  readonly ready: boolean;
}

export interface Stream {
  health(): StreamHealth;
  /** Ends the work under way at its next pause, commits what is done and gives the partitions back. */
  stop(): Promise<void>;
}

/**
 * The one consumer loop. Each batch of a partition goes through `process`; what it forwards (results, retries, dead
 * letters) is appended and durable before its offset is committed, so a crash anywhere repeats and never loses. A
 * part that cannot be reached makes the same batch wait; nothing is skipped, and no attempt is spent on it.
 */
export async function runStream(options: StreamOptions): Promise<Stream> {
  const limits: StreamLimits = { ...STREAM_LIMITS, ...options.limits };
  const now = options.now ?? Date.now;
  const clock = options.clock ?? (() => performance.now());
  const partitions = ownedPartitions();
  const gate = createGate();
  let stopped: Error | null = null;
  const isOutage = options.isOutage ?? isKnownOutage;

  const commits = createCommitQueue({
    consumer: () => consumer,
    everyMs: limits.commitEveryMs,
    crashPoint: options.crashPoint,
  });
  const beat = createBeat(limits.gatherMs);
  const wentWell = recentCustomers(clock);
  const shared = {
    ...options,
    gate,
    commits,
    beat,
    wentWell,
    limits,
    now,
    clock,
    isOutage,
    consumer: () => consumer,
  };

  const consumer: Promise<Consumer> = options.log.consume({
    group: options.group,
    topics: options.topics,
    maxRecords: limits.maxRecords,
    gatherMs: limits.gatherMs,
    handlers: {
      onAssigned: async (assignment, lost) => {
        const { topic, partition, committed, start } = assignment;
        const assigned = partitionWork({ ...shared, topic, partition, assignment });
        partitions.add(topic, partition, assigned);
        const from = await assigned.hold.untilPossible(lost, () =>
          assigned.repeat(lost, () => options.onAssigned?.(assignment)),
        );
        assigned.startAt(from ?? committed ?? start);
        return from;
      },
      onBatch: async (batch: Batch, signal) => {
        await partitions.get(batch.topic, batch.partition).run(batch, signal);
      },
      onHole: (hole, signal) => partitions.get(hole.topic, hole.partition).meetHole(hole, signal),
      onRevoked: async (topic, partition) => {
        // Not there when the partition was lost before it was begun. Taken out last: until then nothing may take it anew.
        if (partitions.has(topic, partition)) await partitions.get(topic, partition).end();
        partitions.remove(topic, partition);
      },
      onStopped: (error) => {
        stopped = error;
        options.logger.error(
          { group: options.group, err: error },
          'the consumer stopped; nothing was skipped',
        );
        options.onStopped?.(error);
      },
    },
  });
  const joined = await consumer;

  const progress = watchProgress({
    log: options.log,
    group: options.group,
    topics: options.topics,
    owns: partitions.has,
    holds: (topic, partition) =>
      partitions.has(topic, partition) && partitions.get(topic, partition).hold.stop() !== null,
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
      const stoppedPartitions = partitions
        .all()
        .map(({ hold }) => hold.stop())
        .filter((stop) => stop !== null);
      return { joined: joined.joined, healthy, stopped, stalled, stoppedPartitions, ready };
    },
    stop: async () => {
      progress.stop();
      // Before the log takes the partitions away: afterwards their commits are refused.
      await Promise.all(partitions.all().map((one) => one.settle()));
      await joined.stop();
      await Promise.all(partitions.all().map((one) => one.end()));
    },
  };
}

/** Topics of a consumer with retries: the main ones and each retry topic. */
export const topicsWithRetries = (main: readonly string[], route: RetryRoute): string[] => [
  ...main,
  ...route.retries.map((retry) => retry.topic),
];
