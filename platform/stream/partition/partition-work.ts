import { PartitionFault } from '#platform/event-log/partition-fault.ts';
import { type Batch, StalePartition } from '#platform/event-log/port.ts';
import { orAborted } from '#platform/flow/or-aborted.ts';
import { PoisonRecordDetection } from '../failure/poison-records.ts';
import { chunkWork } from './chunk.ts';
import { dueWait } from './due-wait.ts';
import { type HoleWork, holeWork } from './hole-work.ts';
import { partitionCommits } from './partition-commits.ts';
import { PartitionHold } from './partition-hold.ts';
import { createPartitionRetry, type PartitionRetry } from './partition-retry.ts';
import { splitDue, splitFirst } from './split-batch.ts';
import type { PartitionWorkOptions } from './work-options.ts';

/** The work on one partition under one assignment. */
export class PartitionWork implements PartitionRetry {
  /** The hold of the partition while it is stopped. */
  readonly hold: PartitionHold;
  readonly retry: PartitionRetry['retry'];
  /** Resolves with the offset to read next; rejects when the signal fires. */
  readonly meetHole: HoleWork['meet'];
  readonly #options: PartitionWorkOptions;
  readonly #working: PartitionRetry;
  readonly #committing: PartitionRetry;
  readonly #poison: PoisonRecordDetection | undefined;
  readonly #commits;
  readonly #holes;
  readonly #doChunk;
  readonly #wait;
  #position = 0;
  #running = false;

  constructor(options: PartitionWorkOptions) {
    const { group, topic, partition, now, deathMarks } = options;
    this.#options = options;
    this.#working = createPartitionRetry(options);
    this.#committing = createPartitionRetry(options);
    this.#poison =
      deathMarks && new PoisonRecordDetection({ expiring: deathMarks, group, topic, partition, now });
    this.#commits = partitionCommits({
      topic,
      partition,
      queue: options.commits,
      retrying: this.#committing,
    });
    this.#doChunk = chunkWork(options, this.#poison, this.#working);
    this.#wait = dueWait(options);
    this.hold = new PartitionHold(options);
    this.retry = this.#working.retry;
    this.#holes = holeWork({ options, hold: this.hold, retry: this.retry });
    this.meetHole = this.#holes.meet;
  }

  reachable(): boolean {
    return this.#working.reachable() && this.#committing.reachable();
  }

  /** Offset at which the first batch will begin, or earlier where offsets have gaps. */
  startAt(position: number): void {
    this.#position = position;
  }

  async run(batch: Batch, signal: AbortSignal): Promise<void> {
    const { topic, partition } = this.#options;
    if (this.#running) throw new Error(`two concurrent batches of ${topic}/${partition}`);
    this.#running = true;
    // After a rebalance that left the partition here, uncommitted records are redelivered.
    this.#position = Math.min(this.#position, batch.records[0]?.offset ?? this.#position);
    try {
      await this.#takeBatch(batch, signal);
    } catch (error) {
      if (signal.aborted) return;
      // The partition is stopped. Then its records are read again: they may have been repaired, or deleted from the
      // log.
      if (error instanceof PartitionFault) await this.hold.lookLater(error, signal);
      // A lost partition is not a fault: its new owner repeats the batch, or we do if it stays here after all.
      else if (!(error instanceof StalePartition)) throw error;
      (await this.#options.consumer()).seek(topic, partition, this.#position);
    } finally {
      this.#running = false;
      // While commits are still accepted, so that the next owner repeats as little as possible.
      if (signal.aborted) await this.#commits.giveUp();
    }
  }

  /** Commits at once what is done, if possible. */
  settle(): Promise<void> {
    return this.#commits.giveUp();
  }

  /** The partition is released alive: clears its timers, and records that this is not a death. */
  async end(): Promise<void> {
    this.#wait.end();
    await this.#commits.giveUp();
    await this.hold.end();
    // Without it the next owner takes this for a death and is careful for a while, which costs only time.
    await this.#poison?.leave().catch(() => undefined);
  }

  async #takeBatch(batch: Batch, signal: AbortSignal): Promise<void> {
    const { route, now } = this.#options;
    const begunAt = performance.now();
    const split = splitDue(batch, route, now(), this.#wait.waitedUpTo());
    if (split.due !== null) await this.#takeDue(split.due, signal);
    if (split.waiting !== null) await this.#wait.until(split.waiting, batch.nextOffset);
    // The partition was drained: the next records may gather for a moment. After a pause there is no linger.
    const isDrained = batch.nextOffset >= batch.end;
    if (isDrained) await orAborted(this.#linger(performance.now() - begunAt), signal);
  }

  async #takeDue(batch: Batch, signal: AbortSignal): Promise<void> {
    const poison = this.#poison;
    if (poison === undefined) return this.#step(batch, signal, 'batch');
    for (let left: Batch | null = batch; left !== null; ) {
      const how = await this.retry(signal, () => poison.look(this.#position, batch.end));
      if (how === 'batch') return this.#step(left, signal, how);
      const [first, rest]: [Batch, Batch | null] = splitFirst(left);
      await this.#step(first, signal, how);
      left = rest;
    }
  }

  async #step(batch: Batch, signal: AbortSignal, how: 'batch' | 'single' | 'crashed'): Promise<void> {
    await this.#doChunk({ batch, position: this.#position, how }, signal);
    this.hold.goOn();
    this.#holes.taken(batch);
    this.#position = batch.nextOffset;
    // Committed last: a crash before it repeats some chunks, which readers of the forwarded records tolerate. While
    // poison records are being detected, the next owner must find the exact offset.
    await this.#commits.done(this.#position, signal);
    if (this.#poison?.careful()) await this.#commits.settled(signal);
  }

  async #linger(tookMs: number): Promise<void> {
    const { linger, tick, limits } = this.#options;
    if (linger !== undefined) await linger();
    else if (tookMs < limits.gatherMs) await tick();
  }
}
