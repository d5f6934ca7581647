import { MAX_RECORD_BYTES } from '../../schemas/topics.ts';
import { AppendError, type Appended, AppendFailure, LogOverloaded } from './port.ts';

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
  /** Records whose write has not begun by then certainly fail, ms; without it they wait for as long as it takes. */
  readonly maxQueuedMs?: number;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

export interface AppendBatcher<Item> {
  /** See `EventLog.append`. A refusal for overload is an `AppendError` whose outcomes are all `LogOverloaded`. */
  append(records: readonly Item[]): Promise<Appended[]>;
  /** Refuses further appends and resolves when all that were taken are settled. */
  close(): Promise<void>;
}

/** One call of `append`: settled when its last record is. */
interface Call {
  readonly outcomes: (Appended | AppendFailure)[];
  open: number;
  readonly resolve: (appended: Appended[]) => void;
  readonly reject: (error: AppendError) => void;
}

interface Waiting<Item> {
  readonly record: Item;
  readonly bytes: number;
  readonly call: Call;
  readonly position: number;
  /** By the clock of the batcher. */
  readonly takenAt: number;
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
  const { maxQueuedMs = Number.POSITIVE_INFINITY, clock = () => performance.now() } = options;
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

  /** Fails what waited for too long behind slow writes: its callers would get their answer later and later. */
  function dropOverdue(now: number): void {
    let count = 0;
    while (count < queue.length && now - queue[count]!.takenAt > maxQueuedMs) count += 1;
    for (const { bytes, call, position } of queue.splice(0, count)) {
      queuedBytes -= bytes;
      waitingBytes -= bytes;
      settle(call, position, new AppendFailure('the event log is too slow or cannot be reached', true));
    }
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
    dropOverdue(lastWriteAt);
    const batch = takeBatch();
    let outcomes: readonly (Appended | AppendFailure)[];
    try {
      outcomes = batch.length === 0 ? [] : await write(batch.map((waiting) => waiting.record));
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
    const takenAt = clock();
    return new Promise((resolve, reject) => {
      const call: Call = { outcomes: new Array(records.length), open: records.length, resolve, reject };
      for (const [position, record] of records.entries()) {
        const bytes = sizes[position]!;
        if (bytes > MAX_RECORD_BYTES) {
          settle(call, position, new AppendFailure(tooLarge(record.topic, bytes), true));
          continue;
        }
        queue.push({ record, bytes, call, position, takenAt });
        queuedBytes += bytes;
        waitingBytes += bytes;
      }
      schedule();
    });
  }

  function close(): Promise<void> {
    closing ??= new Promise((resolve) => {
      whenIdle = resolve;
    });
    // Also replaces a timer that would still hold back the last write.
    schedule();
    return closing;
  }

  return { append, close };
}

function settle(call: Call, position: number, outcome: Appended | AppendFailure): void {
  call.outcomes[position] = outcome;
  call.open -= 1;
  if (call.open > 0) return;
  const failures = call.outcomes.filter((each) => each instanceof AppendFailure);
  if (failures.length === 0) call.resolve(call.outcomes as Appended[]);
  else call.reject(appendError(call.outcomes, failures));
}

function refuse(records: readonly unknown[], failure: AppendFailure): Promise<never> {
  const outcomes = records.map(() => failure);
  return Promise.reject(appendError(outcomes, outcomes));
}

function appendError(
  outcomes: readonly (Appended | AppendFailure)[],
  failures: readonly AppendFailure[],
): AppendError {
  const first = failures[0]!;
  return new AppendError(
    `${failures.length} of ${outcomes.length} records were not appended: ${first.message}`,
    outcomes,
    { cause: first },
  );
}

const tooLarge = (topic: string, bytes: number): string =>
  `a record for ${topic} has ${bytes} bytes, the limit is ${MAX_RECORD_BYTES}`;
