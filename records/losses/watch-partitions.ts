import { partitionOf } from '#platform/event-log/murmur2.ts';
import { startBackgroundJob } from '#platform/flow/background-job.ts';
import type { Expiring } from '#platform/state/port.ts';
import { notedStops } from '#platform/stream/partition/stop-notes.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { LEDGER, PARTITIONS, type TopicDefinition, TRIPLETS } from '#schemas/topics.ts';

/** The partitions that stand still, of those that an accepted audit depends on. */
export interface StoppedPartitions {
  isEmpty(): boolean;
  /** Whether the partition that a key belongs to is stopped. */
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
 * Reads in the background which partitions their consumers have noted as stopped, so that a request costs nothing. The
 * first read is over when this resolves. While the state cannot be read, the last answer counts.
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
