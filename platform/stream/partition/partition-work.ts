import { PartitionFault } from '#platform/event-log/partition-fault.ts';
import { type Batch, StalePartition } from '#platform/event-log/port.ts';
import { orAborted } from '#platform/flow/or-aborted.ts';
import { PoisonRecordDetection } from '../failure/poison-records.ts';
import { chunkWork } from './chunk.ts';
import { dueWait } from './due-wait.ts';
import { type GapHandler, gapHandler } from './gap-handler.ts';
import { partitionCommits } from './partition-commits.ts';
import { createPartitionRetry, type PartitionRetry } from './partition-retry.ts';
import { PartitionStopper } from './partition-stopper.ts';
import { splitDue, splitFirst } from './split-batch.ts';
import type { PartitionWorkOptions } from './work-options.ts';

/** The work on one partition under one assignment. */
export class PartitionWork implements PartitionRetry {
  /** Stops and resumes the partition. */
  readonly stopper: PartitionStopper;
  readonly retry: PartitionRetry['retry'];
  /** Resolves with the offset to read next; rejects when the signal fires. */
  readonly handleGap: GapHandler['handle'];
  readonly #options: PartitionWorkOptions;
  readonly #working: PartitionRetry;
  readonly #committing: PartitionRetry;
  readonly #poison: PoisonRecordDetection | undefined;
  readonly #commits;
  readonly #gaps;
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
    this.stopper = new PartitionStopper(options);
    this.retry = this.#working.retry;
    this.#gaps = gapHandler({ options, stopper: this.stopper, retry: this.retry });
    this.handleGap = this.#gaps.handle;
  }

  reachable(): boolean {
    return this.#working.reachable() && this.#committing.reachable();
  }

  /** Offset at which the first batch will start, or earlier where offsets have gaps. */
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
      // The partition is stopped. Afterwards its records are read again: they may have been repaired or deleted from
      // the log.
      if (error instanceof PartitionFault) await this.stopper.stopAndWait(error, signal);
      // A lost partition is not a fault: its new owner repeats the batch, or this one does if the partition stays here.
      else if (!(error instanceof StalePartition)) throw error;
      (await this.#options.consumer()).seek(topic, partition, this.#position);
    } finally {
      this.#running = false;
      // While commits are still accepted, so that the next owner repeats as little as possible.
      if (signal.aborted) await this.#commits.giveUp();
    }
  }

  /** Commits everything done at once, if possible. */
  settle(): Promise<void> {
    return this.#commits.giveUp();
  }

  /** Call when the partition is released alive: clears its timers, and records that this is not a death. */
  async end(): Promise<void> {
    this.#wait.end();
    await this.#commits.giveUp();
    await this.stopper.end();
    // Without this record the next owner assumes a death and is careful for a while, which costs only time.
    await this.#poison?.leave().catch(() => undefined);
  }

  async #takeBatch(batch: Batch, signal: AbortSignal): Promise<void> {
    const { route, now } = this.#options;
    const startedAt = performance.now();
    const split = splitDue(batch, route, now(), this.#wait.waitedUpTo());
    if (split.due !== null) await this.#takeDue(split.due, signal);
    if (split.waiting !== null) await this.#wait.until(split.waiting, batch.nextOffset);
    // Once the partition is drained, the next records may gather for a moment. After a pause there is no linger.
    const isDrained = batch.nextOffset >= batch.end;
    if (isDrained) await orAborted(this.#linger(performance.now() - startedAt), signal);
  }

  async #takeDue(batch: Batch, signal: AbortSignal): Promise<void> {
    const poison = this.#poison;
    if (poison === undefined) return this.#step(batch, signal, 'batch');
    for (let left: Batch | null = batch; left !== null; ) {
      const how = await this.retry(signal, () => poison.modeAt(this.#position, batch.end));
      if (how === 'batch') return this.#step(left, signal, how);
      const [first, rest]: [Batch, Batch | null] = splitFirst(left);
      await this.#step(first, signal, how);
      left = rest;
    }
  }

  async #step(batch: Batch, signal: AbortSignal, how: 'batch' | 'single' | 'crashed'): Promise<void> {
    await this.#doChunk({ batch, position: this.#position, how }, signal);
    this.stopper.resume();
    this.#gaps.noteRead(batch);
    this.#position = batch.nextOffset;
    // Commit last: a crash before it repeats some chunks, which readers of the forwarded records tolerate. While poison
    // records are being detected, the next owner must find the exact offset.
    await this.#commits.done(this.#position, signal);
    if (this.#poison?.isCareful()) await this.#commits.settled(signal);
  }

  async #linger(tookMs: number): Promise<void> {
    const { linger, tick, limits } = this.#options;
    if (linger !== undefined) await linger();
    else if (tookMs < limits.gatherMs) await tick();
  }
}
