import type { PartitionRunner } from './partition-runner.ts';
import { StalePartition } from './port.ts';

/** The work on a partition under one assignment, until it is released. */
export class AssignedPartition {
  readonly topic: string;
  readonly partition: number;
  readonly runner: PartitionRunner;
  readonly #commits = new Set<Promise<void>>();
  #valid = true;
  #given: Promise<void> | null = null;

  constructor(place: { readonly topic: string; readonly partition: number }, runner: PartitionRunner) {
    this.topic = place.topic;
    this.partition = place.partition;
    this.runner = runner;
  }

  /** False from the moment the partition is lost: commits are refused then. */
  get valid(): boolean {
    return this.#valid;
  }

  /** It is being released. */
  get ending(): boolean {
    return this.#given !== null;
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
  giveBack(onRevoked: () => Promise<void>): Promise<void> {
    this.#given ??= this.#end(onRevoked);
    return this.#given;
  }

  /** Commits stay allowed until the handler has settled, unless the partition is lost: nobody else owns it yet. */
  async #end(onRevoked: () => Promise<void>): Promise<void> {
    await this.runner.end();
    this.#valid = false;
    // The next owner begins at the committed offset, so commits in flight settle first.
    await Promise.allSettled(this.#commits);
    await onRevoked();
  }
}

export function checkNextOffset(nextOffset: number): void {
  if (!Number.isSafeInteger(nextOffset) || nextOffset < 0)
    throw new RangeError(`${nextOffset} is not a valid offset to commit`);
}
