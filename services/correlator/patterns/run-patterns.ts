import { decodeLearning } from '#platform/codec/learn.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import { timeSlice } from '#platform/flow/time-slice.ts';
import type { State } from '#platform/state/port.ts';
import { wholeBatch } from '#platform/stream/failure/outcome.ts';
import type { StreamOptions } from '#platform/stream/partition/options.ts';
import { runStream, type Stream } from '#platform/stream/run-stream.ts';
import { offsetAfterGap, startIfOutOfRange } from '#platform/stream/skipped-gaps.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { partitionStops } from '#records/losses/partition-stops.ts';
import { SIGNALS } from '#schemas/topics.ts';
import { createPatterns } from './pipeline.ts';

export const PATTERNS_GROUP = 'correlator';
export const PATTERNS_TOPICS: readonly string[] = [SIGNALS.name];

/** A record holds a customer's entries from one flush, up to 256 KiB; this many are in memory at once. */
const MAX_RECORDS = 50;
/**
 * Each round of commits saves every customer that had signals since the last: about as much is repeated after a crash.
 */
const COMMIT_EVERY_MS = 60_000;
/** Commits are rarer than the checks for stalled ones. */
const STALLED_AFTER_MS = 5 * 60_000;
interface PatternsOptions extends Pick<StreamOptions, 'limits' | 'metrics' | 'onStopped'> {
  readonly log: EventLog;
  readonly state: State;
  readonly warehouse: Warehouse;
  readonly codec: Codec;
  /** The log's epoch; null when it is not agreed. */
  readonly epochNow: () => Promise<number | null>;
  /** Unix ms. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Limit for customers' patterns in memory. */
  readonly maxBytes: number;
}

/** Joins the group and finds patterns in folded entries until it is stopped. */
export function runPatterns(options: PatternsOptions): Promise<Stream> {
  const { log, state, codec, now, logger } = options;
  const patterns = createPatterns({
    ...options,
    decodeFoldedEntries: (value) => decodeLearning(codec, codec.decodeFoldedEntries, value),
    yieldTurn: timeSlice(() => performance.now()),
  });
  return runStream({
    log,
    group: PATTERNS_GROUP,
    topics: PATTERNS_TOPICS,
    process: wholeBatch(patterns.process),
    onAssigned: (assignment) => {
      patterns.onAssigned(assignment.partition);
      return startIfOutOfRange(assignment);
    },
    beforeCommits: (partitions) => patterns.beforeCommits(partitions.map(({ partition }) => partition)),
    // The warehouse has what the log has lost.
    skipGap: (gap) => offsetAfterGap(log, gap),
    stops: partitionStops(state, PATTERNS_GROUP, options.epochNow),
    limits: {
      maxRecords: MAX_RECORDS,
      commitEveryMs: COMMIT_EVERY_MS,
      stalledAfterMs: STALLED_AFTER_MS,
      ...options.limits,
    },
    logger,
    now,
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    ...(options.onStopped === undefined ? {} : { onStopped: options.onStopped }),
  });
}
