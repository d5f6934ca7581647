import type { PartitionFeed } from './partition-runner.ts';
import type { Assignment, Batch, StoredRecord } from './port.ts';

/**
 * A partition is fetched again when less than this waits in memory. A handler that takes long for each batch, as the
 * sink does for a flush, gets through a busy partition only by what one batch holds.
 */
const ENOUGH_BYTES = 1024 * 1024;
/** Key, headers and objects of one record, about. */
const RECORD_BYTES = 512;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** What a fetch was asked for: its answer counts only while the buffer still wants exactly that. */
export interface Wanted {
  readonly offset: number;
  readonly turn: number;
}

/** One partition's records between the fetches and the handler. */
export interface PartitionBuffer extends PartitionFeed {
  /** Where to fetch next, or null while enough waits, it is paused, or it has not begun. */
  wanted(): Wanted | null;
  /** True while it is not fetched only because enough waits: that may end at any moment. */
  readonly full: boolean;
  /** `records` from the wanted offset on; `nextOffset`: where the fetch ended; `end`: of the partition. */
  take(wanted: Wanted, records: readonly StoredRecord[], nextOffset: number, end: number): void;
  /** The partition cannot go on beyond what is buffered. */
  fail(wanted: Wanted, error: Error): void;
  pause(): void;
  resume(): void;
}

export interface PartitionBufferOptions {
  readonly topic: string;
  readonly partition: number;
  readonly maxRecords: number;
  readonly begin: (signal: AbortSignal) => Promise<Assignment>;
  /** Called when `wanted` may have changed. */
  readonly onWanted: () => void;
}

export function createPartitionBuffer(options: PartitionBufferOptions): PartitionBuffer {
  const { topic, partition, maxRecords, onWanted } = options;
  const listeners = new Set<() => void>();
  /** Everything from `from` up to `to`; what was handed out stays until the next batch is asked for. */
  let records: { readonly record: StoredRecord; readonly bytes: number }[] = [];
  let from: number | null = null;
  let to = 0;
  let handedOut = 0;
  let waitingBytes = 0;
  let end = 0;
  let turn = 0;
  let paused = false;
  let failure: Error | null = null;
  /** The failure was told: who asks again at the same place wants the log to be asked again. */
  let told = false;

  const isFull = (): boolean => waitingBytes >= ENOUGH_BYTES || records.length - handedOut >= maxRecords;

  /** Places the buffer at a position: within what it holds, or anew. */
  function moveTo(position: number): void {
    if (from === null || position < from || position > to || told) {
      records = [];
      to = position;
      turn += 1;
      failure = null;
      told = false;
    }
    from = position;
    const keep = records.findIndex(({ record }) => record.offset >= position);
    records = keep < 0 ? [] : records.slice(keep);
    handedOut = 0;
    waitingBytes = records.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  function handOut(): StoredRecord[] {
    let bytes = 0;
    let count = 0;
    while (count < records.length && count < maxRecords) {
      bytes += records[count]!.bytes;
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
      waitingBytes -= records[count]!.bytes;
      count += 1;
    }
    handedOut = count;
    return records.slice(0, count).map(({ record }) => record);
  }

  function next(position: number): Batch | null {
    moveTo(position);
    const batch = handOut();
    onWanted();
    const last = batch.at(-1);
    if (last === undefined) {
      if (failure === null) return null;
      told = true;
      throw failure;
    }
    const nextOffset = last.offset + 1;
    return { topic, partition, records: batch, nextOffset, end: Math.max(end, nextOffset) };
  }

  const isCurrent = (wanted: Wanted): boolean => wanted.turn === turn && wanted.offset === to;
  const changed = (): void => {
    for (const listener of listeners) listener();
  };

  return {
    topic,
    partition,
    begin: options.begin,
    next,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wanted: () => (from === null || paused || failure !== null || isFull() ? null : { offset: to, turn }),
    get full() {
      return from !== null && !paused && failure === null && isFull();
    },
    take(wanted, fetched, nextOffset, endNow) {
      if (!isCurrent(wanted)) return;
      end = endNow;
      if (nextOffset === to) return;
      for (const record of fetched) {
        const bytes = record.value.length + RECORD_BYTES;
        records.push({ record, bytes });
        waitingBytes += bytes;
      }
      to = nextOffset;
      changed();
    },
    fail(wanted, error) {
      if (!isCurrent(wanted)) return;
      failure = error;
      changed();
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      onWanted();
    },
  };
}
