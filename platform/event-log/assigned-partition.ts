import type { PartitionRunner } from './partition-runner.ts';
import { StalePartition } from './port.ts';

/** The work on a partition under one assignment, until it is released. */
export class AssignedPartition {
  readonly topic: string;
  readonly partition: number;
  readonly runner: PartitionRunner;
  readonly #commits = new Set<Promise<void>>();
  #valid = true;
  #released: Promise<void> | null = null;

  constructor(
    topicPartition: { readonly topic: string; readonly partition: number },
    runner: PartitionRunner,
  ) {
    this.topic = topicPartition.topic;
    this.partition = topicPartition.partition;
    this.runner = runner;
  }

  /** False once the partition is lost: commits are then refused. */
  get valid(): boolean {
    return this.#valid;
  }

  /** True while the partition is being released. */
  get ending(): boolean {
    return this.#released !== null;
  }

  lose(): void {
    this.#valid = false;
  }

  async commit(store: () => Promise<void>): Promise<void> {
    if (!this.#valid) throw new StalePartition(this.topic, this.partition);
    const stored = store();
    this.#commits.add(stored);
    try {
      await stored;
    } finally {
      this.#commits.delete(stored);
    }
  }

  /** Resolves when the handler has settled and `onRevoked` has run; both happen once. */
  release(onRevoked: () => Promise<void>): Promise<void> {
    this.#released ??= this.#end(onRevoked);
    return this.#released;
  }

  /**
   * Commits are allowed until the handler has settled, because the partition has no other owner yet, unless it is lost.
   */
  async #end(onRevoked: () => Promise<void>): Promise<void> {
    await this.runner.end();
    this.#valid = false;
    // The next owner starts at the committed offset, so wait for commits in flight.
    await Promise.allSettled(this.#commits);
    await onRevoked();
  }
}

export function checkNextOffset(nextOffset: number): void {
  if (!Number.isSafeInteger(nextOffset) || nextOffset < 0)
    throw new RangeError(`${nextOffset} is not a valid offset to commit`);
}
