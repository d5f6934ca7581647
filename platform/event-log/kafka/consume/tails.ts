import { PartitionRunner } from '../../partition-runner.ts';
import type { Tail, TailOptions } from '../../port.ts';
import { startTail } from '../../tail.ts';
import type { KafkaCluster } from '../connection/cluster.ts';
import type { KafkaLogger } from '../connection/connection.ts';
import { PartitionBuffer } from './buffer.ts';
import { KafkaFetcher } from './fetcher.ts';
import type { KafkaOffsets } from './offsets.ts';

const RECORDS_AT_ONCE = 500;
/** The interval that a consumer reaches under load: users who follow a topic want to see records soon. */
const INTERVAL_MS = 5;

interface TailsDependencies {
  readonly cluster: KafkaCluster;
  readonly offsets: KafkaOffsets;
  readonly logger: KafkaLogger;
}

/** The tails of one log. Each fetches independently and joins no group. */
export function createKafkaTails(dependencies: TailsDependencies) {
  const running = new Set<Tail>();
  return {
    /** Rejects with `LogUnavailable` when the ends of the partitions cannot be read now. */
    async start(options: TailOptions, partitions: number): Promise<Tail> {
      const { topic } = options;
      const all = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
      const bounds = await Promise.all(all.map((one) => dependencies.offsets.bounds(one)));
      const tail = tailFrom(
        dependencies,
        options,
        bounds.map(({ end }) => end),
        () => running.delete(tail),
      );
      running.add(tail);
      return tail;
    },
    async stop(): Promise<void> {
      await Promise.all([...running].map((tail) => tail.stop()));
    },
  };
}

function tailFrom(
  { cluster, offsets, logger }: TailsDependencies,
  options: TailOptions,
  ends: readonly number[],
  onEnd: () => void,
): Tail {
  const { topic } = options;
  const pool = cluster.pool();
  let fail = (_error: unknown): void => undefined;
  const buffers = ends.map(
    (end, partition) =>
      new PartitionBuffer({
        topic,
        partition,
        maxRecords: RECORDS_AT_ONCE,
        begin: async () => ({ topic, partition, start: 0, end, committed: null }),
        onWanted: () => fetcher.wake(),
      }),
  );
  const onFailure = (error: unknown): void => fail(error);
  const fetcher = new KafkaFetcher({
    cluster,
    pool,
    offsets,
    buffers: () => buffers,
    logger,
    intervalMs: INTERVAL_MS,
    onFailure,
  });
  const stopWatching = cluster.onReplaced(onFailure);
  return startTail(options, {
    ends,
    bounds: (of, partition) => offsets.bounds({ topic: of, partition }),
    run: (partition, handlers, onPartitionFailure) => {
      // A failure that concerns no single partition ends the tail as well.
      fail = onPartitionFailure;
      return new PartitionRunner(buffers[partition]!, handlers, onPartitionFailure);
    },
    onEnd: () => {
      stopWatching();
      fetcher.stop();
      pool.close();
      onEnd();
    },
  });
}
