import type { StoredRecord } from '#platform/event-log/port.ts';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import { MasterKeyMismatch } from '#platform/sealing/port.ts';
import type { Outcome } from '#platform/stream/failure/outcome.ts';
import { attemptOf } from '#platform/stream/failure/retry-route.ts';
import type { Stage, StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import { failureOf } from './failure-of.ts';

/** An audit of a batch that has not failed, and what is known of it so far. */
export interface Audit<Known> {
  /** Its place in the batch. */
  readonly at: number;
  readonly record: StoredRecord;
  /** Analyses begun, this one included. */
  readonly attempt: number;
  /** When this analysis began, Unix ms. */
  readonly startedAt: number;
  /** Time spent on it so far, ms. */
  readonly workedMs: number;
  readonly known: Known;
}

/** A part of the analysis as the headers of failed records name it. */
type Part = 'decode' | 'open' | 'detect' | 'emit';

/** The part of the analysis that an audit is in; its work says when the next one starts. */
export interface Progress {
  part: Part;
}

interface StepOptions {
  readonly part: Part;
  readonly stage?: Stage;
  /** Audits at the same time; more than one where answers take long. */
  readonly concurrency?: number;
}

interface BatchOptions {
  /** Fires when the partition is lost. */
  readonly signal: AbortSignal;
  /** Lets the event loop go where its slice is used up. */
  readonly yieldTurn: YieldTurn;
  /** Unix ms. */
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly stages: StageMetrics | undefined;
}

/** What a stage does to an audit. One function for all batches, because its code stays compiled then (ADR 0010). */
type Work<Known, Next> = (audit: Audit<Known>, progress: Progress) => Promise<Next> | Next;

/** The audits of one batch on their way through the stages: each goes on, or has its outcome. */
export class AuditBatch {
  /** All of them, before the first stage. */
  readonly audits: readonly Audit<null>[];
  readonly #options: BatchOptions;
  readonly #outcomes: (Outcome | undefined)[];
  readonly #begunAt: number;

  constructor(records: readonly StoredRecord[], options: BatchOptions) {
    const begunAt = options.now();
    this.#options = options;
    this.#outcomes = new Array<Outcome | undefined>(records.length);
    this.#begunAt = begunAt;
    this.audits = records.map((record, at) => ({
      at,
      record,
      attempt: attemptOf(record.headers),
      startedAt: begunAt,
      workedMs: 0,
      known: null,
    }));
  }

  /** Works on each audit of the list; those that fail are left out. Rejects with an outage, or a lost partition. */
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

  /** Null: it failed. `spent`: gets the time of one that did not. */
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
    const begun = clock();
    try {
      const made = work(audit, progress);
      const known = made instanceof Promise ? await made : made;
      const spentMs = clock() - begun;
      spent.ms += spentMs;
      return { at, record, attempt, startedAt, workedMs: workedMs + spentMs, known };
    } catch (error) {
      this.fail(audit, progress.part, error);
      return null;
    }
  }

  /** Gives a failed audit its outcome; throws what is no fault of its own. */
  fail({ at }: Audit<unknown>, part: Part, error: unknown): void {
    this.#options.signal.throwIfAborted();
    // Not the record's fault: the first kind is waited for, the second stops the stream before it empties the topic.
    if (isRetryable(error) || error instanceof MasterKeyMismatch) throw error;
    this.#outcomes[at] = failureOf(error, part, this.#begunAt);
  }

  done({ at }: Audit<unknown>, outcome: Outcome): void {
    this.#outcomes[at] = outcome;
  }

  /** One per record, in their order. */
  outcomes(): Outcome[] {
    return Array.from(this.#outcomes, (outcome, at) => {
      if (outcome === undefined) throw new Error(`record ${at} of a batch has no outcome`);
      return outcome;
    });
  }
}
