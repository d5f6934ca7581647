import type { StoredRecord } from '#platform/event-log/port.ts';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import { MasterKeyMismatch } from '#platform/sealing/port.ts';
import type { Outcome } from '#platform/stream/failure/outcome.ts';
import { attemptOf } from '#platform/stream/failure/retry-route.ts';
import type { Stage, StageMetrics } from '#platform/telemetry/stage-metrics.ts';
import { failureOf } from '../failure-of.ts';
import { type FaultRule, type FaultStage, injectFault } from '../faults.ts';
import { generationOf } from './signal-headers.ts';

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
type Part = 'decode' | FaultStage;

/** Says that a part begins; throws where the settings of a test want it to fail. */
type Enter = (part: FaultStage, model: string) => void;

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
  readonly faults: readonly FaultRule[];
  readonly stages: StageMetrics | undefined;
}

/** The audits of one batch on their way through the stages: each goes on, or has its outcome. */
export interface AuditBatch {
  /** All of them, before the first stage. */
  readonly audits: readonly Audit<null>[];
  /** Works on each audit of the list; those that fail are left out. Rejects with an outage, or a lost partition. */
  each<Known, Next>(
    options: StepOptions,
    list: readonly Audit<Known>[],
    work: (audit: Audit<Known>, enter: Enter) => Promise<Next> | Next,
  ): Promise<Audit<Next>[]>;
  /** Gives a failed audit its outcome; throws what is no fault of its own. */
  fail(audit: Audit<unknown>, part: Part, error: unknown): void;
  done(audit: Audit<unknown>, outcome: Outcome): void;
  /** One per record, in their order. */
  outcomes(): Outcome[];
}

export function batchOfAudits(records: readonly StoredRecord[], options: BatchOptions): AuditBatch {
  const { signal, yieldTurn, now, clock, faults, stages } = options;
  const outcomes = new Array<Outcome | undefined>(records.length);
  const begunAt = now();

  const fail: AuditBatch['fail'] = ({ at }, part, error) => {
    signal.throwIfAborted();
    // Not the record's fault: the first kind is waited for, the second stops the stream before it empties the topic.
    if (isRetryable(error) || error instanceof MasterKeyMismatch) throw error;
    outcomes[at] = failureOf(error, part, begunAt);
  };

  const each: AuditBatch['each'] = async ({ part, stage, concurrency = 1 }, list, work) => {
    let allMs = 0;
    const advanced = await mapConcurrent(list, concurrency, async (audit) => {
      const turn = yieldTurn();
      if (turn !== null) await turn;
      signal.throwIfAborted();
      const { at, record, attempt, startedAt, workedMs } = audit;
      let current: Part = part;
      const enter: Enter = (next, model) => {
        current = next;
        injectFault(faults, next, { model, attempt, generation: generationOf(record.headers) });
      };
      const begun = clock();
      try {
        const made = work(audit, enter);
        const known = made instanceof Promise ? await made : made;
        const spentMs = clock() - begun;
        allMs += spentMs;
        return { at, record, attempt, startedAt, workedMs: workedMs + spentMs, known };
      } catch (error) {
        fail(audit, current, error);
        return null;
      }
    });
    if (stage !== undefined && list.length > 0) stages?.ended(stage, list.length, allMs);
    return advanced.filter((audit) => audit !== null);
  };

  return {
    audits: records.map((record, at) => ({
      at,
      record,
      attempt: attemptOf(record.headers),
      startedAt: begunAt,
      workedMs: 0,
      known: null,
    })),
    each,
    fail,
    done: ({ at }, outcome) => {
      outcomes[at] = outcome;
    },
    outcomes: () =>
      outcomes.map((outcome, at) => {
        if (outcome === undefined) throw new Error(`record ${at} of a batch has no outcome`);
        return outcome;
      }),
  };
}
