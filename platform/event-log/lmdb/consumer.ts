import { AssignedPartition, checkNextOffset } from '../assigned-partition.ts';
import { ConsumerStop } from '../consumer-stop.ts';
import { type PartitionSource, runPartition } from '../partition-runner.ts';
import { type ConsumeOptions, type Consumer, StalePartition } from '../port.ts';
import type { PartitionState } from './topics.ts';

/** The part of a logger that the log uses; messages contain nothing from records. */
export interface LogWarnings {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A consumer as its group sees it. */
export interface Member {
  readonly topics: ReadonlySet<string>;
  /** Starts to deliver the partition as soon as work under its earlier assignment has ended. */
  take(partition: PartitionState): void;
  /** Revokes the partition; resolves when the handler has settled and `onRevoked` has run. */
  release(partition: PartitionState): Promise<void>;
}

interface MemberDependencies {
  readonly options: ConsumeOptions;
  readonly source: (partition: PartitionState) => PartitionSource;
  readonly storeOffset: (partition: PartitionState, nextOffset: number) => Promise<void>;
  readonly find: (topic: string, partition: number) => PartitionState;
  readonly leave: (member: Member) => void;
  readonly logger: LogWarnings;
}

/** One consumer of a group within this process. */
export const createMember = (dependencies: MemberDependencies): Member & Consumer =>
  new GroupMember(dependencies);

class GroupMember implements Member, Consumer {
  readonly topics: ReadonlySet<string>;
  readonly #dependencies: MemberDependencies;
  readonly #stop: ConsumerStop;
  readonly #partitions = new Map<PartitionState, AssignedPartition>();
  /**
   * Partitions reassigned while an earlier handler still runs; they start when it has ended, no matter how long it
   * takes.
   */
  readonly #awaited = new Set<PartitionState>();

  constructor(dependencies: MemberDependencies) {
    const { options, logger } = dependencies;
    this.#dependencies = dependencies;
    this.topics = new Set(options.topics);
    this.#stop = new ConsumerStop({ ...options, logger, leave: () => this.#leaveGroup() });
  }

  take(partition: PartitionState): void {
    if (this.#stop.stopped) return;
    const earlier = this.#partitions.get(partition);
    if (earlier?.valid) throw new Error(`${partition.topic}/${partition.partition} was assigned twice`);
    if (earlier !== undefined) {
      this.#awaited.add(partition);
      return;
    }
    const { source, options } = this.#dependencies;
    const fail = (error: unknown): void => this.#stop.fail(error);
    const runner = runPartition(source(partition), options.handlers, fail);
    this.#partitions.set(partition, new AssignedPartition(partition, runner));
  }

  async release(partition: PartitionState): Promise<void> {
    // No work started under this assignment, and the earlier handler has already been awaited.
    if (this.#awaited.delete(partition)) return;
    const owned = this.#partitions.get(partition);
    if (owned === undefined) return;
    owned.lose();
    await this.#finish(partition, owned);
  }

  async commit(topic: string, partition: number, nextOffset: number): Promise<void> {
    checkNextOffset(nextOffset);
    const { find, storeOffset } = this.#dependencies;
    const state = find(topic, partition);
    const owned = this.#partitions.get(state);
    if (owned === undefined) throw new StalePartition(topic, partition);
    await owned.commit(() => storeOffset(state, nextOffset));
  }

  pause(topic: string, partition: number): void {
    this.#find(topic, partition)?.runner.pause();
  }

  resume(topic: string, partition: number): void {
    this.#find(topic, partition)?.runner.resume();
  }

  seek(topic: string, partition: number, offset: number): void {
    this.#find(topic, partition)?.runner.seek(offset);
  }

  get joined(): boolean {
    return !this.#stop.stopped;
  }

  stop(): Promise<void> {
    return this.#stop.stop();
  }

  #find(topic: string, partition: number): AssignedPartition | undefined {
    return this.#partitions.get(this.#dependencies.find(topic, partition));
  }

  #finish(partition: PartitionState, owned: AssignedPartition): Promise<void> {
    return owned.release(async () => {
      try {
        await this.#dependencies.options.handlers.onRevoked?.(partition.topic, partition.partition);
      } catch (error) {
        this.#stop.fail(error);
      } finally {
        this.#partitions.delete(partition);
        if (this.#awaited.delete(partition)) this.take(partition);
      }
    });
  }

  async #leaveGroup(): Promise<void> {
    await Promise.all([...this.#partitions].map(([partition, owned]) => this.#finish(partition, owned)));
    this.#dependencies.leave(this);
  }
}
