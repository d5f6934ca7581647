import { decodeLearning } from '#platform/codec/learn.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import type { State } from '#platform/state/port.ts';
import { wholeBatch } from '#platform/stream/failure/outcome.ts';
import type { StreamOptions } from '#platform/stream/partition/options.ts';
import { runStream, type Stream } from '#platform/stream/run-stream.ts';
import { offsetAfterGap, startIfOutOfRange } from '#platform/stream/skipped-gaps.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { partitionStops } from '#records/losses/partition-stops.ts';
import { CORRELATIONS } from '#schemas/topics.ts';
import { type FindingBatchDependencies, findingBatches } from './finding-batches.ts';

export const FINDINGS_GROUP = 'findings';
export const FINDINGS_TOPICS: readonly string[] = [CORRELATIONS.name];

/** A record is a finding: with up to a hundred signals, about 10 KB of text. */
const MAX_RECORDS = 200;
/** How long a partition's findings gather after a batch, ms. Inserts, shared by all partitions, have their own pace. */
const GATHER_MS = 250;
/** Storing a finding again changes nothing, so commits can be rare. */
const COMMIT_EVERY_MS = 1_000;

interface FindingsOptions extends Pick<StreamOptions, 'limits' | 'metrics' | 'onStopped'> {
  readonly log: EventLog;
  readonly state: Pick<State, 'expiring' | 'documents'>;
  readonly store: FindingBatchDependencies['store'];
  readonly codec: Codec;
  /** The log's epoch. */
  readonly epoch: number;
  /** Unix ms. */
  readonly now: () => number;
  readonly logger: Logger;
  readonly inserts?: FindingBatchDependencies['inserts'];
  /** Called with the number of records that hold no finding. */
  readonly unreadable?: (topic: string, records: number) => void;
}

/** Joins the group and stores correlators' findings until it is stopped. */
export function runFindings(options: FindingsOptions): Promise<Stream> {
  const { log, state, store, codec, epoch, now, logger, unreadable } = options;
  const storeBatch = findingBatches({
    store,
    decodeFinding: (value) => decodeLearning(codec, codec.decodeFinding, value),
    logger,
    metrics: unreadable === undefined ? {} : { unreadable },
    ...(options.inserts === undefined ? {} : { inserts: options.inserts }),
  });
  return runStream({
    log,
    group: FINDINGS_GROUP,
    topics: FINDINGS_TOPICS,
    process: wholeBatch(storeBatch),
    onAssigned: startIfOutOfRange,
    // A lost finding is published again at its next change.
    skipGap: (gap) => offsetAfterGap(log, gap),
    stops: partitionStops(state, FINDINGS_GROUP, async () => epoch),
    limits: {
      maxRecords: MAX_RECORDS,
      gatherMs: GATHER_MS,
      commitEveryMs: COMMIT_EVERY_MS,
      ...options.limits,
    },
    logger,
    now,
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    ...(options.onStopped === undefined ? {} : { onStopped: options.onStopped }),
  });
}
