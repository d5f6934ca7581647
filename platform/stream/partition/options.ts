import type { Assignment, EventLog, LogGap } from '#platform/event-log/port.ts';
import type { Backoff } from '#platform/flow/backoff.ts';
import type { Expiring } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { DEAD_LETTER_LIMITS, type DeadLetterLimits } from '../failure/dead-letter-limit.ts';
import type { Process } from '../failure/outcome.ts';
import type { RetryRoute } from '../failure/retry-route.ts';
import type { StopNotes } from './stops.ts';

/** A partition of a topic. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface StreamMetrics {
  /** `kind`: of the outcome, or the reason for a drop. */
  records?(topic: string, kind: string, count: number): void;
  /** `durationMs`: until all records forwarded by the batch were durable. */
  batch?(topic: string, records: number, durationMs: number): void;
  outage?(topic: string): void;
  lag?(topic: string, partition: number, records: number): void;
  /** A partition was stopped for a reason, or resumed. */
  stopped?(topic: string, partition: number, reason: string, isStopped: boolean): void;
}

export interface StreamLimits {
  /** Maximum number of records per batch. */
  readonly maxRecords: number;
  readonly deadLetters: DeadLetterLimits;
  readonly backoff: Backoff;
  /**
   * How long records may gather after a batch that took less time than that, ms: larger batches cost less per record.
   */
  readonly gatherMs: number;
  /** Minimum time between two rounds of commits, ms: roughly the work that is repeated after a crash. */
  readonly commitEveryMs: number;
  /** How often the lag is checked, and how long an offset may stay unchanged while records wait, ms. */
  readonly progressCheckMs: number;
  readonly stalledAfterMs: number;
  /** How often a stopped partition is retried and checked for an operator's decision, ms. */
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
  /** As in the event log's port, but retried during an outage. May return the offset to start at. */
  readonly onAssigned?: (assignment: Assignment) => Promise<number | undefined> | number | undefined;
  /**
   * Offset after missing records whose loss was accepted; null when it was not. Retried during an outage. Without it no
   * missing records are ever skipped.
   */
  readonly skipGap?: (gap: LogGap) => Promise<number | null>;
  /**
   * Called before each round of commits with the partitions that take part, and stores data before the work done until
   * now is committed. When it rejects, the round is repeated later.
   */
  readonly beforeCommits?: (partitions: readonly TopicPartition[]) => Promise<void>;
  /** Where stopped partitions are recorded for operators. */
  readonly stops?: StopNotes;
  /**
   * Linger of a partition after a batch that drained it, so that more records may gather; default: until the next tick
   * of `limits.gatherMs`. Ends at once when the partition is lost.
   */
  readonly linger?: () => Promise<void>;
  /** Where failed records go. Without it every outcome must be `ok` or `drop`. */
  readonly route?: RetryRoute;
  /** Where death marks are stored; without it poison records are not detected. */
  readonly deathMarks?: Expiring;
  readonly limits?: Partial<StreamLimits>;
  /** Unix ms. */
  readonly now?: () => number;
  /** Monotonic clock for durations, ms; default: the process's own. */
  readonly clock?: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics?: StreamMetrics;
  /** Called when all records forwarded by a batch are durable. `durationMs`: of their append. */
  readonly onAppended?: (records: number, durationMs: number) => void;
  /** The stream ended by itself because of a bug, and is unhealthy. */
  readonly onStopped?: (error: Error) => void;
}
