import { decodeLearning } from '#platform/codec/learn.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import { timeSlice } from '#platform/flow/time-slice.ts';
import { flushOutbox, OUTBOX_DEFERRED } from '#platform/outbox/flush.ts';
import type { State } from '#platform/state/port.ts';
import { wholeBatch } from '#platform/stream/failure/outcome.ts';
import type { StreamOptions } from '#platform/stream/partition/options.ts';
import { runStream, type Stream } from '#platform/stream/run-stream.ts';
import { offsetAfterGap, startIfOutOfRange } from '#platform/stream/skipped-gaps.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { partitionStops } from '#records/losses/partition-stops.ts';
import { SIGNALS } from '#schemas/topics.ts';
import type { BreachOutcome } from './open-breach.ts';
import { createCorrelator } from './pipeline.ts';

export const POLICIES_GROUP = 'policies';
export const POLICIES_TOPICS: readonly string[] = [SIGNALS.name];

/** A record holds a customer's entries from one flush, up to 256 KiB; this many are in memory at once. */
const MAX_RECORDS = 50;

/** Work repeated after a crash finds its earlier results and is cheap, so commits can be rare. */
const COMMIT_EVERY_MS = 1_000;

interface PoliciesOptions extends Pick<StreamOptions, 'limits' | 'metrics' | 'onStopped'> {
  readonly log: EventLog;
  readonly state: State;
  readonly warehouse: Warehouse;
  readonly codec: Codec;
  readonly makeEntry: EntryMaker;
  /** The log's epoch; null when it is not agreed. */
  readonly epochNow: () => Promise<number | null>;
  /** Unix ms. */
  readonly now: () => number;
  readonly logger: Logger;
  readonly onBreach?: (outcome: BreachOutcome) => void;
}

/** Joins the group and compares folded entries with policies until it is stopped. */
export function runPolicies(options: PoliciesOptions): Promise<Stream> {
  const { log, state, warehouse, codec, makeEntry, now, logger } = options;
  const { documents } = state;
  const outbox = { documents, log };
  const correlator = createCorrelator({
    warehouse,
    documents,
    makeEntry,
    // The API's sweeper appends entries that fail here.
    announce: (ref) =>
      void flushOutbox(outbox, ref).catch((err: unknown) => logger.debug({ err }, OUTBOX_DEFERRED)),
    now,
    decodeFoldedEntries: (value) => decodeLearning(codec, codec.decodeFoldedEntries, value),
    yieldTurn: timeSlice(() => performance.now()),
    ...(options.onBreach === undefined ? {} : { onBreach: options.onBreach }),
  });
  return runStream({
    log,
    group: POLICIES_GROUP,
    topics: POLICIES_TOPICS,
    process: wholeBatch(correlator.process),
    onAssigned: (assignment) => {
      correlator.onAssigned();
      return startIfOutOfRange(assignment);
    },
    // The warehouse has what the log has lost.
    skipGap: (gap) => offsetAfterGap(log, gap),
    stops: partitionStops(state, POLICIES_GROUP, options.epochNow),
    limits: { maxRecords: MAX_RECORDS, commitEveryMs: COMMIT_EVERY_MS, ...options.limits },
    logger,
    now,
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    ...(options.onStopped === undefined ? {} : { onStopped: options.onStopped }),
  });
}
