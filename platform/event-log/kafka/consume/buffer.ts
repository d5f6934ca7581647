import type { PartitionFeed } from '../../partition-runner.ts';
import type { Assignment, Batch, StoredRecord } from '../../port.ts';

/**
 * Less buffered than this triggers another fetch. A slow handler, such as the sink during a flush, keeps up with a busy
 * partition only if each batch holds enough.
 */
const ENOUGH_BYTES = 1024 * 1024;
/** Approximate memory for the key, headers and objects of one record. */
const RECORD_BYTES = 512;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** What a fetch requested; its answer is used only while the buffer still wants exactly this. */
export interface Wanted {
  readonly offset: number;
  readonly turn: number;
}

interface PartitionBufferOptions {
  readonly topic: string;
  readonly partition: number;
  readonly maxRecords: number;
  readonly begin: (signal: AbortSignal) => Promise<Assignment>;
  /** Called when `wanted` may have changed. */
  readonly onWanted: () => void;
}

/** Buffers one partition's records between the fetches and the handler. */
export class PartitionBuffer implements PartitionFeed {
  readonly topic: string;
  readonly partition: number;
  readonly begin: PartitionBufferOptions['begin'];
  readonly #maxRecords: number;
  readonly #onWanted: () => void;
  readonly #listeners = new Set<() => void>();
  /** Records from `from` up to `to`. Delivered records stay until the next batch is requested. */
  #records: { readonly record: StoredRecord; readonly bytes: number }[] = [];
  #from: number | null = null;
  #to = 0;
  #handedOut = 0;
  #waitingBytes = 0;
  #end = 0;
  #turn = 0;
  #paused = false;
  #failure: Error | null = null;
  /** The failure was reported: another request at the same offset means that the log should be read again. */
  #failureReported = false;

  constructor({ topic, partition, maxRecords, begin, onWanted }: PartitionBufferOptions) {
    this.topic = topic;
    this.partition = partition;
    this.begin = begin;
    this.#maxRecords = maxRecords;
    this.#onWanted = onWanted;
  }

  next(position: number): Batch | null {
    this.#moveTo(position);
    const batch = this.#handOut();
    this.#onWanted();
    const last = batch.at(-1);
    if (last === undefined) {
      if (this.#failure === null) return null;
      this.#failureReported = true;
      throw this.#failure;
    }
    const { topic, partition } = this;
    const nextOffset = last.offset + 1;
    return { topic, partition, records: batch, nextOffset, end: Math.max(this.#end, nextOffset) };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Where to fetch next; null while enough is buffered, while paused, or before the start. */
  wanted(): Wanted | null {
    return this.#mayFetch() && !this.#isFull() ? { offset: this.#to, turn: this.#turn } : null;
  }

  /** True while the only reason not to fetch is that enough is buffered, which may change at any moment. */
  get full(): boolean {
    return this.#mayFetch() && this.#isFull();
  }

  /** `fetched`: records from the wanted offset. `nextOffset`: where the fetch ended. `end`: end of the partition. */
  take(wanted: Wanted, fetched: readonly StoredRecord[], nextOffset: number, end: number): void {
    if (!this.#isCurrent(wanted)) return;
    this.#end = end;
    if (nextOffset === this.#to) return;
    for (const record of fetched) {
      const bytes = record.value.length + RECORD_BYTES;
      this.#records.push({ record, bytes });
      this.#waitingBytes += bytes;
    }
    this.#to = nextOffset;
    this.#reportChange();
  }

  /** The partition cannot continue beyond what is buffered. */
  fail(wanted: Wanted, error: Error): void {
    if (!this.#isCurrent(wanted)) return;
    this.#failure = error;
    this.#reportChange();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#onWanted();
  }

  #mayFetch(): boolean {
    return this.#from !== null && !this.#paused && this.#failure === null;
  }

  #isFull(): boolean {
    return this.#waitingBytes >= ENOUGH_BYTES || this.#records.length - this.#handedOut >= this.#maxRecords;
  }

  #isCurrent({ offset, turn }: Wanted): boolean {
    return turn === this.#turn && offset === this.#to;
  }

  #reportChange(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Moves the buffer to an offset; outside its content, the buffer starts empty. */
  #moveTo(position: number): void {
    if (this.#from === null || position < this.#from || position > this.#to || this.#failureReported) {
      this.#records = [];
      this.#to = position;
      this.#turn += 1;
      this.#failure = null;
      this.#failureReported = false;
    }
    this.#from = position;
    const keep = this.#records.findIndex(({ record }) => record.offset >= position);
    this.#records = keep < 0 ? [] : this.#records.slice(keep);
    this.#handedOut = 0;
    this.#waitingBytes = this.#records.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #handOut(): StoredRecord[] {
    let bytes = 0;
    let count = 0;
    for (const entry of this.#records.slice(0, this.#maxRecords)) {
      bytes += entry.bytes;
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
      this.#waitingBytes -= entry.bytes;
      count += 1;
    }
    this.#handedOut = count;
    return this.#records.slice(0, count).map(({ record }) => record);
  }
}
