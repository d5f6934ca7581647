import { microBatch } from '#platform/flow/micro-batch.ts';
import { orAborted } from '#platform/flow/or-aborted.ts';
import { checkNextOffset } from '../../assigned-partition.ts';
import { ConsumerStop } from '../../consumer-stop.ts';
import { PartitionRunner } from '../../partition-runner.ts';
import {
  type Assignment,
  type ConsumeOptions,
  type Consumer,
  LogUnavailable,
  StalePartition,
} from '../../port.ts';
import type { KafkaCluster, TopicPartition } from '../connection/cluster.ts';
import type { KafkaLogger } from '../connection/connection.ts';
import { Assignments } from './assignments.ts';
import { PartitionBuffer } from './buffer.ts';
import { createKafkaCommits } from './commits.ts';
import { KafkaFetcher } from './fetcher.ts';
import { Membership } from './membership.ts';
import { KafkaOffsets } from './offsets.ts';

const DEFAULT_GATHER_MS = 5;

export interface KafkaConsumerSettings {
  readonly sessionTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly rebalanceTimeoutMs: number;
  /**
   * How long a handler may continue after its partition was lost, ms; after that the next owner starts while it still
   * runs.
   */
  readonly revocationTimeoutMs: number;
  /** How long a commit or a request for offsets is retried, ms. */
  readonly timeoutMs: number;
}

interface KafkaConsumerDependencies extends KafkaConsumerSettings {
  readonly options: ConsumeOptions & { readonly maxRecords: number };
  readonly cluster: KafkaCluster;
  readonly logger: KafkaLogger;
  readonly onStopped: () => void;
}

/** One consumer of a group. Its handlers are first called after the constructor has returned. */
export class KafkaConsumer implements Consumer {
  readonly #dependencies: KafkaConsumerDependencies;
  readonly #pools;
  readonly #offsets;
  readonly #committedOf: (partition: TopicPartition) => Promise<number | null>;
  readonly #stop: ConsumerStop;
  readonly #assignments: Assignments;
  readonly #fetcher;
  readonly #membership;
  readonly #commits;
  readonly #stopWatching: () => void;

  constructor(dependencies: KafkaConsumerDependencies) {
    const { options, cluster, logger, timeoutMs, revocationTimeoutMs } = dependencies;
    const { group } = options;
    this.#dependencies = dependencies;
    const pools = { group: cluster.pool(), commit: cluster.pool(), fetch: cluster.pool() };
    this.#pools = pools;
    const offsets = new KafkaOffsets({ cluster, pool: pools.commit, timeoutMs });
    this.#offsets = offsets;
    this.#committedOf = microBatch((partitions) => offsets.committed(group, partitions), {
      concurrency: Infinity,
    });
    this.#stop = new ConsumerStop({ ...options, logger, leave: () => this.#leaveGroup() });
    const onFailure = (error: unknown): void => this.#stop.fail(error);
    const assignments = new Assignments({
      begin: (partition) => this.#begin(partition),
      onRevoked: (partition) => this.#revoke(partition),
      rejoin: () => this.#membership.rejoin(),
      revocationTimeoutMs,
      onOvertaken: (partition) =>
        logger.warn(
          { group, topic: partition.topic, partition: partition.partition, timeoutMs: revocationTimeoutMs },
          'handler still running after revocation; waiting for it',
        ),
    });
    this.#assignments = assignments;
    this.#fetcher = new KafkaFetcher({
      cluster,
      pool: pools.fetch,
      offsets,
      buffers: () => assignments.buffers(),
      logger,
      intervalMs: options.gatherMs ?? DEFAULT_GATHER_MS,
      onFailure,
    });
    this.#membership = new Membership({
      ...dependencies,
      pool: pools.group,
      leavePool: pools.commit,
      group,
      topics: options.topics,
      owned: () => assignments.claimed(),
      onAssigned: (partitions) => assignments.assign(partitions),
      onLost: () => assignments.assign([]),
      onFailure,
    });
    const { commit: pool } = pools;
    this.#commits = createKafkaCommits({ cluster, pool, group, membership: this.#membership, timeoutMs });
    this.#stopWatching = cluster.onReplaced(onFailure);
  }

  async commit(topic: string, partition: number, nextOffset: number): Promise<void> {
    checkNextOffset(nextOffset);
    const held = this.#assignments.find(topic, partition)?.assigned;
    if (held === undefined) throw new StalePartition(topic, partition);
    await held.commit(() => this.#commits.commit(held, nextOffset, () => held.valid));
  }

  pause(topic: string, partition: number): void {
    const work = this.#assignments.find(topic, partition);
    work?.assigned.runner.pause();
    work?.buffer.pause();
  }

  resume(topic: string, partition: number): void {
    const work = this.#assignments.find(topic, partition);
    work?.buffer.resume();
    work?.assigned.runner.resume();
  }

  seek(topic: string, partition: number, offset: number): void {
    this.#assignments.find(topic, partition)?.assigned.runner.seek(offset);
  }

  get joined(): boolean {
    return !this.#stop.stopped && this.#membership.joined;
  }

  /** Why a partition is not read until an operator restores the permission; null when all are read. */
  refusal(): Error | null {
    return this.#fetcher.refusal();
  }

  stop(): Promise<void> {
    return this.#stop.stop();
  }

  #begin({ topic, partition }: TopicPartition) {
    const { options } = this.#dependencies;
    const buffer = new PartitionBuffer({
      topic,
      partition,
      maxRecords: options.maxRecords,
      begin: (signal) => orAborted(this.#whereToBegin({ topic, partition }, signal), signal),
      onWanted: () => this.#fetcher.wake(),
    });
    return {
      buffer,
      runner: new PartitionRunner(buffer, options.handlers, (error) => this.#stop.fail(error)),
    };
  }

  /** Retries while the brokers are down, until the partition is lost. */
  async #whereToBegin(partition: TopicPartition, signal: AbortSignal): Promise<Assignment> {
    for (;;) {
      try {
        // Read the end after the committed offset: an offset committed in between must not be beyond it.
        const committed = await this.#committedOf(partition);
        return { ...partition, ...(await this.#offsets.bounds(partition)), committed };
      } catch (error) {
        if (signal.aborted || !(error instanceof LogUnavailable)) throw error;
      }
    }
  }

  async #revoke({ topic, partition }: TopicPartition): Promise<void> {
    try {
      await this.#dependencies.options.handlers.onRevoked?.(topic, partition);
    } catch (error) {
      this.#stop.fail(error);
    }
  }

  async #leaveGroup(): Promise<void> {
    this.#stopWatching();
    await this.#assignments.close();
    await this.#membership.leave();
    this.#fetcher.stop();
    for (const pool of Object.values(this.#pools)) pool.close();
    this.#dependencies.onStopped();
  }
}
