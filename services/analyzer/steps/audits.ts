import type { StoredRecord } from '#platform/event-log/port.ts';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import { MasterKeyMismatch } from '#platform/sealing/port.ts';
import type { Outcome } from '#platform/stream/failure/outcome.ts';
import { attemptOf } from '#platform/stream/failure/retry-route.ts';
import type { Stage, StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import { failureOf } from './failure-of.ts';

/** An audit of a batch that has not failed, and what is known about it so far. */
export interface Audit<Known> {
  /** Index in the batch. */
  readonly at: number;
  readonly record: StoredRecord;
  /** Analyses started, including this one. */
  readonly attempt: number;
  /** When this analysis started, Unix ms. */
  readonly startedAt: number;
  /** Time spent on it so far, ms. */
  readonly workedMs: number;
  readonly known: Known;
}

/** A part of the analysis, as named in the headers of failed records. */
type Part = 'decode' | 'open' | 'detect' | 'emit';

/** The part of the analysis that an audit is in; its work sets this when the next part starts. */
export interface Progress {
  part: Part;
}

interface StepOptions {
  readonly part: Part;
  readonly stage?: Stage;
  /** Audits processed concurrently; more than one where answers take long. */
  readonly concurrency?: number;
}

interface BatchOptions {
  /** Fires when the partition is lost. */
  readonly signal: AbortSignal;
  /** Yields to the event loop when the time slice is used up. */
  readonly yieldTurn: YieldTurn;
  /** Unix ms. */
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly stages: StageMetrics | undefined;
}

/** What a stage does to an audit. One function for all batches, so that its code stays compiled (ADR 0010). */
type Work<Known, Next> = (audit: Audit<Known>, progress: Progress) => Promise<Next> | Next;

/** The audits of one batch on their way through the stages: each continues, or has its outcome. */
export class AuditBatch {
  /** All of them, before the first stage. */
  readonly audits: readonly Audit<null>[];
  readonly #options: BatchOptions;
  readonly #outcomes: (Outcome | undefined)[];
  readonly #begunAt: number;

  constructor(records: readonly StoredRecord[], options: BatchOptions) {
    const batchStartedAt = options.now();
    this.#options = options;
    this.#outcomes = new Array<Outcome | undefined>(records.length);
    this.#begunAt = batchStartedAt;
    this.audits = records.map((record, at) => ({
      at,
      record,
      attempt: attemptOf(record.headers),
      startedAt: batchStartedAt,
      workedMs: 0,
      known: null,
    }));
  }

  /** Works on each audit in the list, and leaves out those that fail. Rejects with an outage, or a lost partition. */
  async each<Known, Next>(
    { part, stage, concurrency = 1 }: StepOptions,
    list: readonly Audit<Known>[],
    work: Work<Known, Next>,
  ): Promise<Audit<Next>[]> {
    const spent = { ms: 0 };
    const advanced = await mapConcurrent(list, concurrency, (audit) =>
      this.#advance(audit, part, work, spent),
    );
    if (stage !== undefined && list.length > 0) this.#options.stages?.ended(stage, list.length, spent.ms);
    return advanced.filter((audit) => audit !== null);
  }

  /** Null: it failed. `spent` adds up the time of successful ones. */
  async #advance<Known, Next>(
    audit: Audit<Known>,
    part: Part,
    work: Work<Known, Next>,
    spent: { ms: number },
  ): Promise<Audit<Next> | null> {
    const { signal, yieldTurn, clock } = this.#options;
    const turn = yieldTurn();
    if (turn !== null) await turn;
    signal.throwIfAborted();
    const { at, record, attempt, startedAt, workedMs } = audit;
    const progress: Progress = { part };
    const startedMs = clock();
    try {
      const made = work(audit, progress);
      const known = made instanceof Promise ? await made : made;
      const spentMs = clock() - startedMs;
      spent.ms += spentMs;
      return { at, record, attempt, startedAt, workedMs: workedMs + spentMs, known };
    } catch (error) {
      this.fail(audit, progress.part, error);
      return null;
    }
  }

  /** Gives a failed audit its outcome; rethrows errors that are not the record's fault. */
  fail({ at }: Audit<unknown>, part: Part, error: unknown): void {
    this.#options.signal.throwIfAborted();
    // Not the record's fault: retryable errors are waited out, a wrong master key stops the stream before it empties
    // the topic.
    if (isRetryable(error) || error instanceof MasterKeyMismatch) throw error;
    this.#outcomes[at] = failureOf(error, part, this.#begunAt);
  }

  done({ at }: Audit<unknown>, outcome: Outcome): void {
    this.#outcomes[at] = outcome;
  }

  /** One per record, in order. */
  outcomes(): Outcome[] {
    return Array.from(this.#outcomes, (outcome, at) => {
      if (outcome === undefined) throw new Error(`record ${at} of a batch has no outcome`);
      return outcome;
    });
  }
}
