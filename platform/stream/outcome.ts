import type { FailureCode } from '../../schemas/vocabulary.ts';
import type { Assignment, Batch, LogRecord } from '../event-log/port.ts';

/** Why a record failed. No field ever carries content of the record: all of it ends in headers and logs. */
export interface Failure {
  readonly code: FailureCode;
  /** Step that failed, e.g. `decode`. */
  readonly stage: string;
  /** Class of the error, never its message. */
  readonly errorClass: string;
  /** When work on this record began, Unix ms; by default when its batch began. */
  readonly startedAt?: number;
}

/** What became of one record. */
export type Outcome =
  /** Done; `forward` is appended before the record counts as done. */
  | { readonly kind: 'ok'; readonly forward?: readonly LogRecord[] }
  /** Failed and worth another attempt; dead-lettered after the last one. */
  | { readonly kind: 'retry'; readonly failure: Failure }
  /** Failed and always will. */
  | { readonly kind: 'deadLetter'; readonly failure: Failure }
  /** Needs no work; counted under `reason`. */
  | { readonly kind: 'drop'; readonly reason: string };

export interface ProcessContext {
  /**
   * Fires when the partition is lost: stop, nothing of the batch will be committed. The partition comes back to this
   * process only after `process` has settled, so it settles when nothing of the batch is under way any more.
   */
  readonly signal: AbortSignal;
  /** The very object that `onAssigned` got: the identity of the assignment that the batch was taken under. */
  readonly assignment: Assignment;
  /** True while records are taken singly, because an earlier owner of the partition died here. */
  readonly oneByOne: boolean;
}

/**
 * One outcome per record, in their order. Rejecting with an outage repeats the batch; rejecting with anything else
 * is a fault of the program and stops the stream.
 */
export type Process = (batch: Batch, context: ProcessContext) => Promise<readonly Outcome[]>;

/** For services to which a batch is one piece of work: it is done as a whole, with what it returns forwarded. */
export function wholeBatch(
  handle: (batch: Batch, context: ProcessContext) => Promise<readonly LogRecord[] | undefined>,
): Process {
  return async (batch, context) => {
    const forward = await handle(batch, context);
    const last = batch.records.length - 1;
    return batch.records.map((_, i) =>
      i === last && forward !== undefined ? { kind: 'ok', forward } : { kind: 'ok' },
    );
  };
}
