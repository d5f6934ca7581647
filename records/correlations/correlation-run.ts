import type { StoredPattern } from '#core/correlate/fold/stored-pattern.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { CorrelationDimension, CorrelationRunStatus } from '#schemas/vocabulary.ts';

/** Parameters of a run; times are ISO 8601, both ends inclusive. */
export interface RunParameters {
  readonly startDate: string;
  readonly endDate: string;
  /** null: all sandboxes. */
  readonly sandboxSlug: string | null;
  readonly windowMinutes: number;
  readonly minSignals: number;
  readonly dimensions: readonly CorrelationDimension[];
}

/** A run over history. */
export interface CorrelationRun {
  readonly id: string;
  readonly status: CorrelationRunStatus;
  readonly parameters: RunParameters;
  readonly analyzedSignals: number;
  /** Signals in the range when the run started. */
  readonly totalSignals: number;
  /** Patterns found, and patterns left out; null before the end. */
  readonly patternCount: number | null;
  readonly patternsLeftOut: number;
  readonly failure: string | null;
  readonly createdAt: string;
  /** A RUNNING run that was not updated for a minute has lost its process. */
  readonly updatedAt: string;
  readonly completedAt: string | null;
}

/** Document `CORRELATION_RUNS`, id = customer id, in the customer's scope. */
export interface StoredRuns {
  /** In order of request. */
  readonly runs: readonly CorrelationRun[];
}

/** Document `CORRELATION_PATTERNS`, id = run id, in the customer's scope: for a COMPLETED run. */
export interface RunPatterns {
  readonly patterns: readonly StoredPattern[];
}

export const CORRELATION_RUNS = 'correlationRuns';
export const CORRELATION_PATTERNS = 'correlationPatterns';
export const CORRELATION_COLLECTIONS: readonly Collection[] = [
  customerCollection(CORRELATION_RUNS, DELETED),
  customerCollection(CORRELATION_PATTERNS, DELETED),
];
