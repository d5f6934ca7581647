import { createBatchLoop } from '#platform/flow/batch-loop.ts';
import { AppendIntake, type QueuedRecord, settle } from '../append-intake.ts';
import { type Appended, AppendFailure } from '../port.ts';

/** A record in the form in which an adapter writes it. */
interface Appendable {
  readonly topic: string;
}

export interface AppendBatcherOptions<Item extends Appendable> {
  /**
   * Stores one micro-batch durably and returns an outcome per record, in order. A throw means that it is unknown
   * whether the records were stored.
   */
  readonly write: (records: readonly Item[]) => Promise<readonly (Appended | AppendFailure)[]>;
  /** Size of a record as counted by all limits (`recordBytes`). */
  readonly bytesOf: (record: Item) => number;
  /** Minimum time between the starts of writes under load, ms; an idle log writes at once. */
  readonly batchDelayMs: number;
  readonly maxBatchRecords: number;
  readonly maxBatchBytes: number;
  /** Limit on bytes queued and being written; appends beyond it are refused. */
  readonly maxWaitingBytes: number;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

interface AppendBatcher<Item> {
  /**
   * See `EventLog.append`. An append refused for overload fails with an `AppendError` whose outcomes are all
   * `LogOverloaded`.
   */
  append(records: readonly Item[]): Promise<Appended[]>;
  /** Bytes queued and being written now. */
  waitingBytes(): number;
  /** Refuses further appends and resolves when all accepted ones have settled. */
  close(): Promise<void>;
}

/**
 * Gathers single appends into micro-batches, one write at a time and in the order of the calls. An idle log writes its
 * first append at the end of the event-loop turn. Under load a write starts every `batchDelayMs`, or sooner when a
 * batch is full, because a write costs about the same for one record or fifty.
 */
export function createAppendBatcher<Item extends Appendable>(
  options: AppendBatcherOptions<Item>,
): AppendBatcher<Item> {
  const { write, batchDelayMs, maxBatchRecords, maxBatchBytes, clock = () => performance.now() } = options;
  const intake = new AppendIntake<Item>(options);
  let queue: QueuedRecord<Item>[] = [];
  let queuedBytes = 0;
  let lastWriteAt = Number.NEGATIVE_INFINITY;

  function dueInMs(): number | null {
    if (queue.length === 0) return null;
    const isFull = queue.length >= maxBatchRecords || queuedBytes >= maxBatchBytes;
    return isFull || intake.closing ? 0 : lastWriteAt + batchDelayMs - clock();
  }

  function takeBatch(): QueuedRecord<Item>[] {
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

  async function writeBatch(): Promise<void> {
    lastWriteAt = clock();
    const batch = takeBatch();
    let outcomes: readonly (Appended | AppendFailure)[];
    try {
      outcomes = await write(batch.map(({ record }) => record));
    } catch (error) {
      const failure = new AppendFailure('the event log did not confirm the record', false, { cause: error });
      outcomes = batch.map(() => failure);
    }
    for (const [index, { call, position, bytes }] of batch.entries()) {
      intake.release(bytes);
      settle(call, position, outcomes[index] ?? new AppendFailure('no outcome', false));
    }
  }

  const wake = createBatchLoop({ dueInMs, run: writeBatch });
  const enqueue = (queued: QueuedRecord<Item>): null => {
    queue.push(queued);
    queuedBytes += queued.bytes;
    return null;
  };

  return {
    append(records) {
      const settled = intake.append(records, () => enqueue);
      wake();
      return settled;
    },
    waitingBytes: () => intake.waitingBytes,
    close() {
      const closed = intake.close();
      // Also replaces a timer that would still delay the last write.
      wake();
      return closed;
    },
  };
}
