import { partitionOf } from '#platform/event-log/murmur2.ts';
import { startBackgroundJob } from '#platform/flow/background-job.ts';
import type { Expiring } from '#platform/state/port.ts';
import { notedStops } from '#platform/stream/partition/stop-notes.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { LEDGER, PARTITIONS, type TopicDefinition, TRIPLETS } from '#schemas/topics.ts';

/** The stopped partitions on which an accepted audit depends. */
export interface StoppedPartitions {
  isEmpty(): boolean;
  /** Whether the partition of a key is stopped. */
  has(topic: string, key: string): boolean;
}

export const NONE_STOPPED: StoppedPartitions = { isEmpty: () => true, has: () => false };

const partitionsOf = ({ name: topic, partitions, readBy }: TopicDefinition) =>
  readBy.flatMap((group) =>
    Array.from({ length: partitions }, (_, partition) => ({ group, topic, partition })),
  );
const WATCHED = [TRIPLETS, LEDGER].flatMap(partitionsOf);

const nameOf = (topic: string, partition: number): string => `${topic}/${partition}`;

interface WatchOptions {
  readonly expiring: Pick<Expiring, 'get'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly everyMs?: number;
}

/**
 * Reads in the background which partitions their consumers have recorded as stopped, so that requests pay nothing.
 * Resolves after the first read. While the state cannot be read, the last result applies.
 */
export async function watchPartitions({
  expiring,
  logger,
  everyMs = 1_000,
}: WatchOptions): Promise<StoppedPartitions & { stop(): Promise<void> }> {
  let stopped: ReadonlySet<string> = new Set();
  const read = async (): Promise<void> => {
    const stops = await notedStops(expiring, WATCHED);
    stopped = new Set(stops.map(({ topic, partition }) => nameOf(topic, partition)));
  };
  await read();
  const job = startBackgroundJob({
    everyMs,
    maxPauseMs: 30_000,
    run: read,
    onFailure: (err) => logger.warn({ err }, 'failed to read stopped partitions; retrying'),
  });
  return {
    isEmpty: () => stopped.size === 0,
    has: (topic, key) => stopped.has(nameOf(topic, partitionOf(key, PARTITIONS))),
    stop: job.stop,
  };
}
