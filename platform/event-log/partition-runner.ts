import type { Assignment, Batch, ConsumerHandlers, PartitionBounds, StoredRecord } from './port.ts';
import { LogGap } from './port.ts';

/** What a runner delivers: one partition for one group, from any source. */
export interface PartitionFeed {
  readonly topic: string;
  readonly partition: number;
  /** The log's bounds and the group's committed offset. `signal` fires when the partition is released meanwhile. */
  begin(signal: AbortSignal): Promise<Assignment>;
  /** The batch that starts at `position`, or null when there is none yet. Throws `LogGap`. */
  next(position: number): Batch | null;
  /** Calls `listener` when the result of `next` may have changed; returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** A partition that can be read at any time and whose offsets have no gaps. */
export interface PartitionSource {
  readonly topic: string;
  readonly partition: number;
  bounds(): PartitionBounds;
  committed(): number | null;
  /** Records starting at `offset`, as many as one batch may hold. */
  read(offset: number): StoredRecord[];
  /** Calls `listener` after each append; returns the function that unsubscribes. */
  onAppend(listener: () => void): () => void;
}

/** Delivers from a source. Any record other than the next expected one is a `LogGap`. */
export function runPartition(
  source: PartitionSource,
  handlers: ConsumerHandlers,
  onFailure: (error: unknown) => void,
): PartitionRunner {
  const { topic, partition } = source;
  const feed: PartitionFeed = {
    topic,
    partition,
    begin: async () => ({ topic, partition, ...source.bounds(), committed: source.committed() }),
    next(position) {
      const { start, end } = source.bounds();
      if (position < start || position > end) {
        const until = position < start ? start : null;
        throw new LogGap(topic, partition, position, `a log that holds ${start} up to ${end}`, until);
      }
      if (position === end) return null;
      const records = source.read(position);
      const first = records[0]?.offset;
      if (first !== position) {
        const until = first !== undefined && first > position ? first : null;
        throw new LogGap(topic, partition, position, `offset ${first ?? 'nothing'}`, until);
      }
      return { topic, partition, records, nextOffset: records.at(-1)!.offset + 1, end };
    },
    onChange: source.onAppend,
  };
  return new PartitionRunner(feed, handlers, onFailure);
}

/**
 * Delivers one partition to the handlers while it is owned, one batch at a time. Starts at the offset given by
 * `onAssigned`, else at the committed one, else at the log's start. `onFailure` gets an error thrown by a handler, or a
 * `LogGap` that no handler takes; nothing is delivered after it.
 */
export class PartitionRunner {
  readonly #feed: PartitionFeed;
  readonly #handlers: ConsumerHandlers;
  readonly #ending = new AbortController();
  readonly #stopListening: () => void;
  readonly #settled: Promise<void>;
  #position = 0;
  #sought: number | null = null;
  #busy = true;
  #paused = false;
  #running: AbortController | null = null;
  #wake: (() => void) | null = null;

  constructor(feed: PartitionFeed, handlers: ConsumerHandlers, onFailure: (error: unknown) => void) {
    this.#feed = feed;
    this.#handlers = handlers;
    this.#stopListening = feed.onChange(() => this.#wake?.());
    this.#settled = this.#run().catch((error: unknown) => {
      if (!this.#ended) onFailure(error);
    });
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#wake?.();
  }

  seek(offset: number): void {
    if (this.#busy) this.#sought = offset;
    else this.#position = offset;
    this.#wake?.();
  }

  /** Fires the running batch's signal; resolves when its handler has settled. Nothing is delivered afterwards. */
  end(): Promise<void> {
    this.#stopListening();
    this.#ending.abort();
    this.#running?.abort();
    this.#wake?.();
    return this.#settled;
  }

  get #ended(): boolean {
    return this.#ending.signal.aborted;
  }

  async #run(): Promise<void> {
    await this.#begin();
    this.#busy = false;
    while (!this.#ended) {
      const found = this.#paused ? null : this.#nextOrGap();
      if (found === null) await this.#untilWoken();
      else if (found instanceof LogGap) await this.#handleGap(found);
      else await this.#deliver(found);
      // A handler that never waits for I/O would otherwise block the event loop until the records run out.
      await new Promise(setImmediate);
    }
  }

  async #begin(): Promise<void> {
    const { signal } = this.#ending;
    const assignment = await this.#feed.begin(signal);
    if (this.#ended) return;
    const requested = await this.#handlers.onAssigned?.(assignment, signal);
    this.#position = requested ?? this.#sought ?? assignment.committed ?? assignment.start;
  }

  #nextOrGap(): Batch | LogGap | null {
    try {
      return this.#feed.next(this.#position);
    } catch (error) {
      if (error instanceof LogGap) return error;
      throw error;
    }
  }

  #untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
  }

  /** The handler decides about missing records; it may take as long as the partition is owned. */
  async #handleGap(gap: LogGap): Promise<void> {
    if (this.#handlers.onGap === undefined) throw gap;
    this.#sought = null;
    this.#busy = true;
    const answer = await this.#handlers.onGap(gap, this.#ending.signal);
    this.#position = this.#sought ?? answer;
    this.#busy = false;
  }

  async #deliver(batch: Batch): Promise<void> {
    checkOrder(batch, this.#position);
    const controller = new AbortController();
    this.#running = controller;
    this.#sought = null;
    this.#busy = true;
    try {
      await this.#handlers.onBatch(batch, controller.signal);
    } catch (error) {
      // After the signal a handler may throw: its work was cut short, and the batch is redelivered elsewhere.
      if (!controller.signal.aborted) throw error;
    } finally {
      this.#running = null;
    }
    this.#position = this.#sought ?? batch.nextOffset;
    this.#busy = false;
  }
}

/** Asserts what a feed guarantees to handlers. A first offset after the position is the feed's decision. */
function checkOrder({ topic, partition, records, nextOffset }: Batch, position: number): void {
  let expected = position;
  for (const { offset } of records) {
    if (offset < expected)
      throw new Error(`${topic}/${partition}: received offset ${offset} after ${expected - 1}`);
    expected = offset + 1;
  }
  if (records.length === 0 || nextOffset < expected) {
    throw new Error(`${topic}/${partition}: a batch at ${position} ends at ${nextOffset}`);
  }
}
