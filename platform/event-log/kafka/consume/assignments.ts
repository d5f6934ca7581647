import { AssignedPartition } from '../../assigned-partition.ts';
import type { PartitionRunner } from '../../partition-runner.ts';
import type { TopicPartition } from '../connection/cluster.ts';
import type { PartitionBuffer } from './buffer.ts';

/** Partitions released within this time share one rebalance; one that takes longer does not delay the others. */
const GIVING_BACK_MS = 100;

interface AssignmentsOptions {
  /** Begins the work on a partition. */
  readonly begin: (partition: TopicPartition) => {
    readonly buffer: PartitionBuffer;
    readonly runner: PartitionRunner;
  };
  /** After the handler has settled. Does not reject. */
  readonly onRevoked: (partition: TopicPartition) => Promise<void>;
  /** Rejoins the group, which then learns which partitions were released. */
  readonly rejoin: () => void;
  /** How long a handler may go on after its partition was lost, ms; then the next owner begins alongside it. */
  readonly revocationTimeoutMs: number;
  /** Called when a handler has run for longer than that. */
  readonly onOvertaken: (partition: TopicPartition) => void;
}

interface Work extends TopicPartition {
  readonly held: AssignedPartition;
  readonly buffer: PartitionBuffer;
  /** It ignored the loss for too long: the group assigns the partition to the next owner. */
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

  find(topic: string, partition: number): Pick<Work, 'held' | 'buffer'> | undefined {
    return this.#works.get(nameOf({ topic, partition }));
  }

  /** Buffers of the running work. */
  buffers(): PartitionBuffer[] {
    return [...this.#works.values()].filter(({ held }) => !held.ending).map(({ buffer }) => buffer);
  }

  /**
   * What the group may assign to nobody else: partitions with running work, except overtaken ones, and all assigned
   * partitions. The latter even while an earlier handler holds them up: their work may begin at any moment, so they
   * have to be released too.
   */
  claimed(): TopicPartition[] {
    const held = [...this.#works.values()].filter((work) => !work.overtaken);
    return [...new Map([...held, ...this.#assigned.values()].map((each) => [nameOf(each), each])).values()];
  }

  /** From now on this consumer owns these partitions and no others. */
  assign(partitions: readonly TopicPartition[]): void {
    const before = this.#assigned;
    this.#assigned = new Map(
      partitions.map(({ topic, partition }) => [nameOf({ topic, partition }), { topic, partition }]),
    );
    for (const [name, work] of this.#works) if (!this.#assigned.has(name)) void this.#release(work);
    for (const [name, each] of this.#assigned) if (!this.#works.has(name)) this.#take(each);
    // Partitions that waited for an overtaken handler never began, so they are released at once.
    for (const name of before.keys())
      if (!this.#assigned.has(name) && this.#works.get(name)?.overtaken) this.#rejoinSoon();
  }

  /** Begins nothing more, and resolves when everything is released. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rejoinTimer);
    await Promise.all([...this.#works.values()].map((work) => this.#giveBack(work)));
    this.#works.clear();
    this.#assigned = new Map();
  }

  #take(place: TopicPartition): void {
    if (this.#closed) return;
    const name = nameOf(place);
    if (this.#works.has(name)) throw new Error(`${name} was assigned twice`);
    const { buffer, runner } = this.#options.begin(place);
    this.#works.set(name, { ...place, buffer, held: new AssignedPartition(place, runner), overtaken: false });
  }

  #giveBack({ held, topic, partition }: Work): Promise<void> {
    return held.giveBack(() => this.#options.onRevoked({ topic, partition }));
  }

  /** The group regards the partition as this consumer's until its handler has settled or is overtaken. */
  async #release(work: Work): Promise<void> {
    const name = nameOf(work);
    work.held.lose();
    if (work.held.ending) return;
    const given = this.#giveBack(work);
    const overdue = setTimeout(() => {
      this.#options.onOvertaken(work);
      work.overtaken = true;
      if (!this.#assigned.has(name)) this.#rejoinSoon();
    }, this.#options.revocationTimeoutMs);
    await given;
    clearTimeout(overdue);
    this.#works.delete(name);
    // The group may have reassigned it to this consumer meanwhile: only now does that work begin.
    const again = this.#assigned.get(name);
    if (again !== undefined) this.#take(again);
    else if (!work.overtaken) this.#rejoinSoon();
  }

  /** Only a join that no longer claims them tells the group that they may go to their next owners. */
  #rejoinSoon(): void {
    if (this.#closed) return;
    const isAnyEnding = [...this.#works.values()].some(({ held, overtaken }) => held.ending && !overtaken);
    if (isAnyEnding) this.#rejoinTimer ??= setTimeout(() => this.#rejoin(), GIVING_BACK_MS);
    else this.#rejoin();
  }

  #rejoin(): void {
    clearTimeout(this.#rejoinTimer);
    this.#rejoinTimer = undefined;
    if (!this.#closed) this.#options.rejoin();
  }
}

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
