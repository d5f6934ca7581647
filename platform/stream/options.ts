import type { Assignment, EventLog, LogHole } from '../event-log/port.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Expiring } from '../state/port.ts';
import { DEAD_LETTER_LIMITS, type DeadLetterLimits } from './dead-letter-limit.ts';
import type { Backoff } from './outage.ts';
import type { Process } from './outcome.ts';
import type { StopNotes } from './partition-hold.ts';
import type { RetryRoute } from './retry-route.ts';

/** Where a test may kill the process: around the append of what a batch forwards, and around a round of commits. */
export const STREAM_CRASH_POINTS = [
  'before-forward',
  'after-forward',
  'before-commit',
  'after-commit',
] as const;
export type StreamCrashPoint = (typeof STREAM_CRASH_POINTS)[number];

export interface StreamMetrics {
  /** `kind`: of the outcomes, or the reason of a drop. */
  records?(topic: string, kind: string, count: number): void;
  /** `durationMs`: until everything that the batch forwards was durable. */
  batch?(topic: string, records: number, durationMs: number): void;
  outage?(topic: string): void;
  lag?(topic: string, partition: number, records: number): void;
  /** A partition is stopped for a reason, or is no longer. */
  stopped?(topic: string, partition: number, reason: string, isStopped: boolean): void;
}

export interface StreamLimits {
  /** Records per batch at most. */
  readonly maxRecords: number;
  readonly deadLetters: DeadLetterLimits;
  readonly backoff: Backoff;
  /** How long records may gather after a batch that was done sooner than that, ms: larger batches cost less each. */
  readonly gatherMs: number;
  /** Least time between two rounds of commits, ms: about what is done again after a crash. */
  readonly commitEveryMs: number;
  /** How often the lag is looked at, and how long an offset may stand still while records wait; ms. */
  readonly progressCheckMs: number;
  readonly stalledAfterMs: number;
  /** How often a stopped partition looks whether it can go on, and for an operator's decision; ms. */
  readonly lookAgainMs: number;
  readonly decisionMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  maxRecords: 500,
  deadLetters: DEAD_LETTER_LIMITS,
  backoff: { firstMs: 100, maxMs: 5_000, random: Math.random },
  gatherMs: 100,
  commitEveryMs: 100,
  progressCheckMs: 5_000,
  stalledAfterMs: 60_000,
  lookAgainMs: 30_000,
  decisionMs: 1_000,
};

export interface StreamOptions {
  readonly log: EventLog;
  readonly group: string;
  /** Main topics and, with a `route`, its retry topics. */
  readonly topics: readonly string[];
  readonly process: Process;
  /** As in the event log's port, repeated during an outage: may return the offset to begin at. */
  readonly onAssigned?: (assignment: Assignment) => Promise<number | undefined> | number | undefined;
  /**
   * Offset behind a hole whose loss was accepted; null: it was not. Repeated during an outage. Without it no hole is
   * ever gone over.
   */
  readonly passHole?: (hole: LogHole) => Promise<number | null>;
  /** Where stopped partitions are noted for operators. */
  readonly stops?: StopNotes;
  /**
   * What a partition waits for after a batch that took all there was, so that more may gather; by default the next
   * beat of `limits.gatherMs`. Left at once when the partition is lost.
   */
  readonly rest?: () => Promise<void>;
  /** Where failed records go. Without it every outcome must be `ok` or `drop`. */
  readonly route?: RetryRoute;
  /** Where death marks are kept; without it records that kill the process are not looked for. */
  readonly deathMarks?: Expiring;
  readonly limits?: Partial<StreamLimits>;
  readonly isOutage?: (error: unknown) => boolean;
  /** Unix ms. */
  readonly now?: () => number;
  /** Milliseconds of a clock that nobody sets, for how long something lasts; by default the process' own. */
  readonly clock?: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics?: StreamMetrics;
  readonly crashPoint?: (point: StreamCrashPoint) => void;
  /** The stream ended by itself, red: a fault of the program. */
  readonly onStopped?: (error: Error) => void;
}
