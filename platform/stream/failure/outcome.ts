import type { Assignment, Batch, LogRecord } from '#platform/event-log/port.ts';
import type { FailureCode } from '#schemas/vocabulary.ts';

/**
 * Why a record failed. No field ever contains content of the record, because all of them end up in headers and logs.
 */
export interface Failure {
  readonly code: FailureCode;
  /** Step that failed, e.g. `decode`. */
  readonly stage: string;
  /** Class of the error, never its message. */
  readonly errorClass: string;
  /** When work on this record started, Unix ms; default: when its batch started. */
  readonly startedAt?: number;
}

/** The outcome of one record. */
export type Outcome =
  /** Done; `forward` is appended before the record counts as done. */
  | { readonly kind: 'ok'; readonly forward?: readonly LogRecord[] }
  /** Failed, worth a retry; dead-lettered after the last attempt. */
  | { readonly kind: 'retry'; readonly failure: Failure }
  /** Failed permanently. */
  | { readonly kind: 'deadLetter'; readonly failure: Failure }
  /** Needs no work; counted under `reason`. */
  | { readonly kind: 'drop'; readonly reason: string };

export interface ProcessContext {
  /**
   * Fires when the partition is lost: stop, because nothing from the batch will be committed. The partition can return
   * to this process only after `process` has settled, so settle only when all work on the batch has ended.
   */
  readonly signal: AbortSignal;
  /** The same object that `onAssigned` got; it identifies the assignment under which the batch was read. */
  readonly assignment: Assignment;
  /** True while records are processed one by one, because an earlier owner of the partition died at this point. */
  readonly oneByOne: boolean;
}

/**
 * Returns one outcome per record, in order. Rejecting with an outage repeats the batch; rejecting with anything else is
 * a bug and stops the stream.
 */
export type Process = (batch: Batch, context: ProcessContext) => Promise<readonly Outcome[]>;

/** For services that process a batch as a unit: it succeeds as a whole, and the returned records are forwarded. */
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
