import type { Assignment, Batch, ConsumerHandlers, PartitionBounds, StoredRecord } from './port.ts';
import { LogHole } from './port.ts';

/** What a runner delivers: one partition as one group sees it, however its records come. */
export interface PartitionFeed {
  readonly topic: string;
  readonly partition: number;
  /** Where the log and the group stand. `signal` fires when the partition is given up meanwhile. */
  begin(signal: AbortSignal): Promise<Assignment>;
  /** The batch that begins at `position`, or null when there is none yet. Throws `LogHole`. */
  next(position: number): Batch | null;
  /** Calls `listener` when `next` may have changed its answer; returns the end of that. */
  onChange(listener: () => void): () => void;
}

/** A partition that can be read at any time and whose offsets have no gaps. */
export interface PartitionSource {
  readonly topic: string;
  readonly partition: number;
  bounds(): PartitionBounds;
  committed(): number | null;
  /** Records from `offset` on, as many as one batch may hold. */
  read(offset: number): StoredRecord[];
  /** Calls `listener` after each append; returns the end of that. */
  onAppend(listener: () => void): () => void;
}

export interface PartitionRunner {
  pause(): void;
  resume(): void;
  seek(offset: number): void;
  /** Fires the running batch's signal; resolves when its handler has settled. Nothing is delivered afterwards. */
  end(): Promise<void>;
}

/** Delivers from a source. Anything but the record expected next is a `LogHole`. */
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
        throw new LogHole(topic, partition, position, `a log that holds ${start} up to ${end}`, until);
      }
      if (position === end) return null;
      const records = source.read(position);
      const first = records[0]?.offset;
      if (first !== position) {
        const until = first !== undefined && first > position ? first : null;
        throw new LogHole(topic, partition, position, `offset ${first ?? 'nothing'}`, until);
      }
      return { topic, partition, records, nextOffset: records.at(-1)!.offset + 1, end };
    },
    onChange: source.onAppend,
  };
  return runFeed(feed, handlers, onFailure);
}

/**
 * Delivers one partition to the handlers for as long as it is owned: one batch at a time, from the offset that
 * `onAssigned`, the committed offset or the log's start decides. `onFailure` gets what a handler threw, or the
 * `LogHole` that was met when no handler takes it; nothing is delivered after it.
 */
export function runFeed(
  feed: PartitionFeed,
  handlers: ConsumerHandlers,
  onFailure: (error: unknown) => void,
): PartitionRunner {
  const ending = new AbortController();
  let position = 0;
  let sought: number | null = null;
  let busy = true;
  let paused = false;
  let ended = false;
  let running: AbortController | null = null;
  let wake: (() => void) | null = null;

  const wakeUp = (): void => wake?.();
  const stopListening = feed.onChange(wakeUp);
  const untilWoken = (): Promise<void> =>
    new Promise((resolve) => {
      wake = () => {
        wake = null;
        resolve();
      };
    });

  async function begin(): Promise<void> {
    const assignment = await feed.begin(ending.signal);
    if (ended) return;
    const asked = await handlers.onAssigned?.(assignment, ending.signal);
    position = asked ?? sought ?? assignment.committed ?? assignment.start;
  }

  function nextOrHole(): Batch | LogHole | null {
    try {
      return feed.next(position);
    } catch (error) {
      if (error instanceof LogHole) return error;
      throw error;
    }
  }

  /** A hole is for the handler to decide on; it may take as long as the partition is owned. */
  async function askAbout(hole: LogHole): Promise<void> {
    if (handlers.onHole === undefined) throw hole;
    sought = null;
    busy = true;
    const answer = await handlers.onHole(hole, ending.signal);
    position = sought ?? answer;
    busy = false;
  }

  async function deliver(batch: Batch): Promise<void> {
    checkOrder(batch, position);
    const controller = new AbortController();
    running = controller;
    sought = null;
    busy = true;
    try {
      await handlers.onBatch(batch, controller.signal);
    } catch (error) {
      // After the signal a handler may well throw: its work was cut off, and the batch comes again elsewhere.
      if (!controller.signal.aborted) throw error;
    } finally {
      running = null;
    }
    position = sought ?? batch.nextOffset;
    busy = false;
  }

  async function run(): Promise<void> {
    await begin();
    busy = false;
    while (!ended) {
      const found = paused ? null : nextOrHole();
      if (found === null) await untilWoken();
      else if (found instanceof LogHole) await askAbout(found);
      else await deliver(found);
      // A handler that never waits for I/O would otherwise hold the event loop for as long as there are records.
      await new Promise(setImmediate);
    }
  }

  const settled = run().catch((error: unknown) => {
    if (!ended) onFailure(error);
  });

  return {
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      wakeUp();
    },
    seek(offset) {
      if (busy) sought = offset;
      else position = offset;
      wakeUp();
    },
    end() {
      ended = true;
      stopListening();
      ending.abort();
      running?.abort();
      wakeUp();
      return settled;
    },
  };
}

/** What a feed promises; a handler may rely on it. A first offset beyond the position is the feed's to judge. */
function checkOrder({ topic, partition, records, nextOffset }: Batch, position: number): void {
  let expected = position;
  for (const { offset } of records) {
    if (offset < expected)
      throw new Error(`${topic}/${partition}: offset ${offset} came after ${expected - 1}`);
    expected = offset + 1;
  }
  if (records.length === 0 || nextOffset < expected) {
    throw new Error(`${topic}/${partition}: a batch at ${position} ends at ${nextOffset}`);
  }
}
