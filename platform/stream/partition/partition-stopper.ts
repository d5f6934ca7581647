import { setTimeout as sleep } from 'node:timers/promises';
import { PartitionFault } from '#platform/event-log/partition-fault.ts';
import { createSerialQueue } from '#platform/flow/serial-queue.ts';
import type { PartitionStop } from './stops.ts';
import type { PartitionWorkOptions } from './work-options.ts';

type Options = Pick<
  PartitionWorkOptions,
  'group' | 'topic' | 'partition' | 'limits' | 'stops' | 'metrics' | 'logger' | 'now'
>;

/**
 * Stops one partition that cannot continue, and retries its work periodically: a restored key, a new limit or an
 * accepted loss lets it resume without a restart. Nothing is skipped or committed meanwhile.
 */
export class PartitionStopper {
  readonly #options: Options;
  /** One at a time, so that a delayed note is never written after its removal. */
  readonly #notes = createSerialQueue();
  #stopped: PartitionStop | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Retries `work` while it fails with a `PartitionFault`; the partition is stopped meanwhile. Rethrows other errors.
   */
  async retryUntilPossible<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await work();
        this.resume();
        return result;
      } catch (error) {
        if (!(error instanceof PartitionFault)) throw error;
        await this.stopAndWait(error, signal);
      }
    }
  }

  /** Stops the partition and resolves when it is time to retry. Throws when the signal fires. */
  async stopAndWait(fault: PartitionFault, signal: AbortSignal): Promise<void> {
    const { lookAgainMs, decisionMs } = this.#options.limits;
    signal.throwIfAborted();
    this.#stopFor(fault);
    const before = await this.#decided(fault);
    for (let waitedMs = 0; waitedMs < lookAgainMs; waitedMs += decisionMs) {
      await sleep(Math.min(decisionMs, lookAgainMs - waitedMs), undefined, { signal });
      if (!before && (await this.#decided(fault))) return;
    }
  }

  /** Resumes the partition. */
  resume(): void {
    const { group, topic, partition, logger } = this.#options;
    if (this.#stopped !== null) logger.info({ group, topic, partition }, 'partition resumed');
    this.#clear();
  }

  stop(): PartitionStop | null {
    return this.#stopped;
  }

  /** Ends when the partition is released; its next owner detects the fault itself. */
  async end(): Promise<void> {
    this.#clear();
    await this.#notes.idle();
  }

  #stopFor(fault: PartitionFault): void {
    const { group, topic, partition, metrics, logger, now } = this.#options;
    const { kind, reason, offset, untilOffset, message } = fault;
    if (this.#stopped?.reason === reason && this.#stopped.offset === offset) {
      // The gap may have grown.
      this.#note({ ...this.#stopped, untilOffset, message });
      return;
    }
    if (this.#stopped !== null) metrics?.stopped?.(topic, partition, this.#stopped.reason, false);
    this.#note({ topic, partition, kind, reason, offset, untilOffset, message, since: now() });
    metrics?.stopped?.(topic, partition, reason, true);
    logger.error({ group, topic, partition, reason, offset, err: fault }, 'partition stopped');
  }

  #note(stop: PartitionStop): void {
    this.#stopped = stop;
    this.#queueNote(() => this.#options.stops?.note(stop));
  }

  #clear(): void {
    const { topic, partition, stops, metrics } = this.#options;
    if (this.#stopped === null) return;
    metrics?.stopped?.(topic, partition, this.#stopped.reason, false);
    this.#stopped = null;
    this.#queueNote(() => stops?.forget(topic, partition));
  }

  /** An unreachable state must not delay anything. */
  #queueNote(what: () => Promise<void> | undefined): void {
    const { topic, partition, logger } = this.#options;
    this.#notes
      .run(what)
      .catch((err: unknown) =>
        logger.warn({ topic, partition, err }, 'failed to record stopped partition; retrying'),
      );
  }

  async #decided(fault: PartitionFault): Promise<boolean> {
    // An unreachable state counts as no decision; there will be another retry.
    return (await this.#options.stops?.decided(fault).catch(() => false)) ?? false;
  }
}
