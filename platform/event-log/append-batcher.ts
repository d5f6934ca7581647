import { MAX_RECORD_BYTES } from '../../schemas/topics.ts';
import { type AppendCall, openCall, refuse, settle, tooLarge } from './append-call.ts';
import { type Appended, AppendFailure, LogOverloaded } from './port.ts';

/** A record in whatever form an adapter writes it. */
interface Appendable {
  readonly topic: string;
}

export interface AppendBatcherOptions<Item extends Appendable> {
  /**
   * Stores one micro-batch durably: an outcome per record, in order. Throwing means that nobody knows whether the
   * records were stored.
   */
  readonly write: (records: readonly Item[]) => Promise<readonly (Appended | AppendFailure)[]>;
  /** Size of a record as every limit counts it (`recordBytes`). */
  readonly bytesOf: (record: Item) => number;
  /** Writes begin at least this far apart under load, ms; an idle log writes at once. */
  readonly batchDelayMs: number;
  readonly maxBatchRecords: number;
  readonly maxBatchBytes: number;
  /** Bytes queued and being written, above which appends are refused. */
  readonly maxWaitingBytes: number;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

export interface AppendBatcher<Item> {
  /** See `EventLog.append`. A refusal for overload is an `AppendError` whose outcomes are all `LogOverloaded`. */
  append(records: readonly Item[]): Promise<Appended[]>;
  /** Bytes queued and being written now. */
  waitingBytes(): number;
  /** Refuses further appends and resolves when all that were taken are settled. */
  close(): Promise<void>;
}

interface Waiting<Item> {
  readonly record: Item;
  readonly bytes: number;
  readonly call: AppendCall;
  readonly position: number;
}

/**
 * Gathers single appends into micro-batches, one write at a time and in the order of the calls. The first append
 * of an idle log is written at the end of its event-loop turn; under load a write begins every `batchDelayMs`, or
 * sooner when a batch is full, because each write costs about the same whether it carries one record or fifty.
 */
export function createAppendBatcher<Item extends Appendable>(
  options: AppendBatcherOptions<Item>,
): AppendBatcher<Item> {
  const { write, bytesOf, batchDelayMs, maxBatchRecords, maxBatchBytes, maxWaitingBytes } = options;
  const { clock = () => performance.now() } = options;
  let queue: Waiting<Item>[] = [];
  let queuedBytes = 0;
  let waitingBytes = 0;
  let writing = false;
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  let immediate: NodeJS.Immediate | null = null;
  let whenIdle: (() => void) | null = null;
  let closing: Promise<void> | null = null;

  function schedule(): void {
    if (writing || immediate !== null) return;
    if (queue.length === 0) {
      whenIdle?.();
      return;
    }
    const full = queue.length >= maxBatchRecords || queuedBytes >= maxBatchBytes;
    const delayMs = full || closing !== null ? 0 : lastWriteAt + batchDelayMs - clock();
    if (delayMs > 0) {
      timer ??= setTimeout(flush, delayMs);
      return;
    }
    if (timer !== null) clearTimeout(timer);
    timer = null;
    immediate = setImmediate(flush);
  }

  function takeBatch(): Waiting<Item>[] {
    let count = 0;
    let bytes = 0;
    while (count < queue.length && count < maxBatchRecords) {
      const next = queue[count]!.bytes;
      if (count > 0 && bytes + next > maxBatchBytes) break;
      bytes += next;
      count += 1;
    }
    queuedBytes -= bytes;
    if (count < queue.length) return queue.splice(0, count);
    const all = queue;
    queue = [];
    return all;
  }

  async function flush(): Promise<void> {
    timer = null;
    immediate = null;
    writing = true;
    lastWriteAt = clock();
    const batch = takeBatch();
    let outcomes: readonly (Appended | AppendFailure)[];
    try {
      outcomes = await write(batch.map((waiting) => waiting.record));
    } catch (error) {
      const failure = new AppendFailure('the event log did not confirm the record', false, { cause: error });
      outcomes = batch.map(() => failure);
    }
    for (const [index, waiting] of batch.entries()) {
      waitingBytes -= waiting.bytes;
      settle(waiting.call, waiting.position, outcomes[index] ?? new AppendFailure('no outcome', false));
    }
    writing = false;
    schedule();
  }

  function append(records: readonly Item[]): Promise<Appended[]> {
    if (records.length === 0) return Promise.resolve([]);
    const sizes = records.map(bytesOf);
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    if (closing !== null) return refuse(records, new AppendFailure('the event log is closed', true));
    // A call that is larger than the whole allowance is still taken by a log that has nothing else to do.
    if (waitingBytes > 0 && waitingBytes + total > maxWaitingBytes)
      return refuse(records, new LogOverloaded());
    const { call, settled } = openCall(records.length);
    for (const [position, record] of records.entries()) {
      const bytes = sizes[position]!;
      if (bytes > MAX_RECORD_BYTES) {
        settle(call, position, tooLarge(record.topic, bytes));
        continue;
      }
      queue.push({ record, bytes, call, position });
      queuedBytes += bytes;
      waitingBytes += bytes;
    }
    schedule();
    return settled;
  }

  function close(): Promise<void> {
    closing ??= new Promise((resolve) => {
      whenIdle = resolve;
    });
    // Also replaces a timer that would still hold back the last write.
    schedule();
    return closing;
  }

  return { append, waitingBytes: () => waitingBytes, close };
}
