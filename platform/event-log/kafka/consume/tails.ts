import { PartitionRunner } from '../../partition-runner.ts';
import type { Tail, TailOptions } from '../../port.ts';
import { startTail } from '../../tail.ts';
import type { KafkaCluster } from '../connection/cluster.ts';
import type { KafkaLogger } from '../connection/connection.ts';
import { PartitionBuffer } from './buffer.ts';
import { KafkaFetcher } from './fetcher.ts';
import type { KafkaOffsets } from './offsets.ts';

const RECORDS_AT_ONCE = 500;
/** As little as a consumer takes under load: who reads along wants to see records soon. */
const INTERVAL_MS = 5;

interface TailsDependencies {
  readonly cluster: KafkaCluster;
  readonly offsets: KafkaOffsets;
  readonly logger: KafkaLogger;
}

/** The tails of one log. Each fetches by itself, in no group. */
export function createKafkaTails(dependencies: TailsDependencies) {
  const running = new Set<Tail>();
  return {
    /** Rejects with `LogUnavailable` when the ends of the partitions cannot be told now. */
    async start(asked: TailOptions, partitions: number): Promise<Tail> {
      const { topic } = asked;
      const all = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
      const bounds = await Promise.all(all.map((one) => dependencies.offsets.bounds(one)));
      const tail = tailFrom(
        dependencies,
        asked,
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
  asked: TailOptions,
  ends: readonly number[],
  onEnd: () => void,
): Tail {
  const { topic } = asked;
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
  return startTail(asked, {
    ends,
    bounds: (of, partition) => offsets.bounds({ topic: of, partition }),
    run: (partition, handlers, onPartitionFailure) => {
      // What no partition is at fault for ends the tail as well.
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
