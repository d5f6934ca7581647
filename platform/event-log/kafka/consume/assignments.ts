import { AssignedPartition } from '../../assigned-partition.ts';
import type { PartitionRunner } from '../../partition-runner.ts';
import type { TopicPartition } from '../connection/cluster.ts';
import type { PartitionBuffer } from './buffer.ts';

/** Partitions released within this time share one rebalance. A slower release does not delay the others. */
const RELEASE_WINDOW_MS = 100;

interface AssignmentsOptions {
  /** Starts the work on a partition. */
  readonly begin: (partition: TopicPartition) => {
    readonly buffer: PartitionBuffer;
    readonly runner: PartitionRunner;
  };
  /** Called after the handler has settled. Does not reject. */
  readonly onRevoked: (partition: TopicPartition) => Promise<void>;
  /** Rejoins the group, which then learns which partitions were released. */
  readonly rejoin: () => void;
  /**
   * How long a handler may continue after its partition was lost, ms; after that the next owner starts while it still
   * runs.
   */
  readonly revocationTimeoutMs: number;
  /** Called when a handler has run for longer than that. */
  readonly onOvertaken: (partition: TopicPartition) => void;
}

interface Work extends TopicPartition {
  readonly assigned: AssignedPartition;
  readonly buffer: PartitionBuffer;
  /** The handler ran too long after the loss: the group assigns the partition to the next owner. */
  overtaken: boolean;
}

/** The partitions that the group has assigned to one consumer, and the work on them. */
export class Assignments {
  readonly #options: AssignmentsOptions;
  /** At most one per partition: a new assignment waits while work under an earlier one is still running. */
  readonly #works = new Map<string, Work>();
  #assigned = new Map<string, TopicPartition>();
  #rejoinTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: AssignmentsOptions) {
    this.#options = options;
  }

  find(topic: string, partition: number): Pick<Work, 'assigned' | 'buffer'> | undefined {
    return this.#works.get(nameOf({ topic, partition }));
  }

  /** Buffers of the running work. */
  buffers(): PartitionBuffer[] {
    return [...this.#works.values()].filter(({ assigned }) => !assigned.ending).map(({ buffer }) => buffer);
  }

  /**
   * Partitions that the group must not assign to other members: those with running work, except overtaken ones, and all
   * assigned ones. An assigned partition counts even while an earlier handler holds it up: its work may start at any
   * moment, so it must be released too.
   */
  claimed(): TopicPartition[] {
    const assigned = [...this.#works.values()].filter((work) => !work.overtaken);
    return [
      ...new Map([...assigned, ...this.#assigned.values()].map((each) => [nameOf(each), each])).values(),
    ];
  }

  /** Makes this consumer the owner of exactly these partitions. */
  assign(partitions: readonly TopicPartition[]): void {
    const before = this.#assigned;
    this.#assigned = new Map(
      partitions.map(({ topic, partition }) => [nameOf({ topic, partition }), { topic, partition }]),
    );
    for (const [name, work] of this.#works) if (!this.#assigned.has(name)) void this.#release(work);
    for (const [name, each] of this.#assigned) if (!this.#works.has(name)) this.#take(each);
    // Work on partitions that waited for an overtaken handler never started, so they are released at once.
    for (const name of before.keys())
      if (!this.#assigned.has(name) && this.#works.get(name)?.overtaken) this.#rejoinSoon();
  }

  /** Starts no more work; resolves when everything is released. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rejoinTimer);
    await Promise.all([...this.#works.values()].map((work) => this.#finish(work)));
    this.#works.clear();
    this.#assigned = new Map();
  }

  #take(topicPartition: TopicPartition): void {
    if (this.#closed) return;
    const name = nameOf(topicPartition);
    if (this.#works.has(name)) throw new Error(`${name} was assigned twice`);
    const { buffer, runner } = this.#options.begin(topicPartition);
    this.#works.set(name, {
      ...topicPartition,
      buffer,
      assigned: new AssignedPartition(topicPartition, runner),
      overtaken: false,
    });
  }

  #finish({ assigned, topic, partition }: Work): Promise<void> {
    return assigned.release(() => this.#options.onRevoked({ topic, partition }));
  }

  /** For the group, the partition belongs to this consumer until its handler has settled or is overtaken. */
  async #release(work: Work): Promise<void> {
    const name = nameOf(work);
    work.assigned.lose();
    if (work.assigned.ending) return;
    const released = this.#finish(work);
    const overdue = setTimeout(() => {
      this.#options.onOvertaken(work);
      work.overtaken = true;
      if (!this.#assigned.has(name)) this.#rejoinSoon();
    }, this.#options.revocationTimeoutMs);
    await released;
    clearTimeout(overdue);
    this.#works.delete(name);
    // If the group has reassigned it to this consumer meanwhile, that work starts only now.
    const again = this.#assigned.get(name);
    if (again !== undefined) this.#take(again);
    else if (!work.overtaken) this.#rejoinSoon();
  }

  /** The group may reassign released partitions only after a join that no longer claims them. */
  #rejoinSoon(): void {
    if (this.#closed) return;
    const isAnyEnding = [...this.#works.values()].some(
      ({ assigned, overtaken }) => assigned.ending && !overtaken,
    );
    if (isAnyEnding) this.#rejoinTimer ??= setTimeout(() => this.#rejoin(), RELEASE_WINDOW_MS);
    else this.#rejoin();
  }

  #rejoin(): void {
    clearTimeout(this.#rejoinTimer);
    this.#rejoinTimer = undefined;
    if (!this.#closed) this.#options.rejoin();
  }
}

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
