import { MAX_RECORD_BYTES } from '#schemas/topics.ts';
import { AppendError, type Appended, AppendFailure, LogOverloaded } from './port.ts';

/** One call of `append`; settles when its last record settles. */
interface AppendCall {
  readonly outcomes: (Appended | AppendFailure)[];
  open: number;
  readonly resolve: (appended: Appended[]) => void;
  readonly reject: (error: AppendError) => void;
}

/** A queued record of a call. */
export interface QueuedRecord<Item> {
  readonly record: Item;
  /** Size as counted by all limits (`recordBytes`). */
  readonly bytes: number;
  readonly call: AppendCall;
  /** Index of the record in its call. */
  readonly position: number;
}

interface AppendIntakeOptions<Item> {
  /** Size of a record as counted by all limits (`recordBytes`). */
  readonly bytesOf: (record: Item) => number;
  /** Limit on bytes queued and being written; appends beyond it are refused. */
  readonly maxWaitingBytes: number;
}

/** Admission of appends before their records are queued: refuses when the log is closed or too many bytes wait. */
export class AppendIntake<Item extends { readonly topic: string }> {
  readonly #options: AppendIntakeOptions<Item>;
  #waitingBytes = 0;
  #closing: Promise<void> | null = null;
  #whenIdle: (() => void) | null = null;

  constructor(options: AppendIntakeOptions<Item>) {
    this.#options = options;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get closing(): boolean {
    return this.#closing !== null;
  }

  /** `begin` gets the size of the call. It returns the function that queues its records, or the reason for refusal. */
  append(
    records: readonly Item[],
    begin: (totalBytes: number) => (queued: QueuedRecord<Item>) => AppendFailure | null,
  ): Promise<Appended[]> {
    const { bytesOf, maxWaitingBytes } = this.#options;
    if (records.length === 0) return Promise.resolve([]);
    if (this.closing) return refuse(records, new AppendFailure('the event log is closed', true));
    const sizes = records.map(bytesOf);
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    // An idle log accepts even a call that exceeds the whole limit.
    if (this.#waitingBytes > 0 && this.#waitingBytes + total > maxWaitingBytes)
      return refuse(records, new LogOverloaded());
    const enqueue = begin(total);
    return new Promise((resolve, reject) => {
      const call = { outcomes: new Array(records.length), open: records.length, resolve, reject };
      for (const [position, record] of records.entries()) {
        const queued = { record, bytes: sizes[position]!, call, position };
        const refusal = this.#take(queued, enqueue);
        if (refusal !== null) settle(call, position, refusal);
      }
    });
  }

  #take(
    queued: QueuedRecord<Item>,
    enqueue: (queued: QueuedRecord<Item>) => AppendFailure | null,
  ): AppendFailure | null {
    const { record, bytes } = queued;
    if (bytes > MAX_RECORD_BYTES) {
      const sizes = `${bytes} bytes; the limit is ${MAX_RECORD_BYTES}`;
      return new AppendFailure(`a record for ${record.topic} has ${sizes}`, true);
    }
    this.#waitingBytes += bytes;
    const refusal = enqueue(queued);
    if (refusal !== null) this.release(bytes);
    return refusal;
  }

  /** Subtracts bytes that no longer wait. */
  release(bytes: number): void {
    this.#waitingBytes -= bytes;
    if (this.#waitingBytes < 0) throw new Error('more records were settled than accepted');
    if (this.#waitingBytes === 0) this.#whenIdle?.();
  }

  /** Refuses further appends and resolves when all accepted ones have settled. */
  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      if (this.#waitingBytes === 0) resolve();
      else this.#whenIdle = resolve;
    });
    return this.#closing;
  }
}

export function settle(call: AppendCall, position: number, outcome: Appended | AppendFailure): void {
  call.outcomes[position] = outcome;
  call.open -= 1;
  if (call.open > 0) return;
  const failures = call.outcomes.filter((each) => each instanceof AppendFailure);
  if (failures.length === 0) call.resolve(call.outcomes as Appended[]);
  else call.reject(appendError(call.outcomes, failures));
}

/** Fails a whole call before any of its records is queued. */
export function refuse(records: readonly unknown[], failure: AppendFailure): Promise<never> {
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
