import {
  type Assignment,
  type Batch,
  type EventLog,
  LogGap,
  type StoredRecord,
} from '#platform/event-log/port.ts';
import type { Probe } from '#platform/process/probe.ts';
import type { Admission } from '#platform/state/port.ts';
import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import { LEDGER } from '#schemas/topics.ts';
import { type AuditMetrics, auditBatches } from './audits/audit-batches.ts';
import { type FlushMetrics, type FlushUnit, flush, type Publish, type UnitOutcome } from './flush/flush.ts';
import { createFlushQueue, FLUSH_LIMITS, type FlushLimits, type FlushQueue } from './flush/flush-queue.ts';
import { type HeldAssignment, topicPartitionOf } from './flush/held-assignment.ts';
import { pendingMarks } from './flush/pending-marks.ts';
import { type ContradictionDependencies, contradictionLogger } from './flush/reported-contradictions.ts';
import type { SinkStore } from './flush/store.ts';
import { ledgerBatches } from './ledger-batches.ts';
import type { OpenDependencies } from './start/open-records.ts';
import { createSkips, type SkipDependencies, type Skips } from './start/skips.ts';
import { assertEpoch, startPosition } from './start/start-position.ts';

interface SinkMetrics extends FlushMetrics, AuditMetrics {}

export interface SinkOptions extends OpenDependencies, ContradictionDependencies {
  readonly log: Pick<EventLog, 'read' | 'bounds'>;
  /** `warehouseStore(warehouse)`. */
  readonly store: SinkStore;
  /** `publishFolded`. */
  readonly publish: Publish;
  readonly admission: Pick<Admission, 'removePendingMarks'>;
  /** The log's epoch, as agreed with state and warehouse at start. */
  readonly epoch: number;
  /** An operator's decision about a log offset, if any; without this, no loss is ever accepted. */
  readonly acceptedLoss?: SkipDependencies['acceptedLoss'];
  readonly now: () => number;
  readonly logger: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  readonly metrics?: SinkMetrics;
  readonly stages?: StageMetrics;
  readonly limits?: Partial<FlushLimits>;
  readonly probe?: Probe | undefined;
  /** Notified of audits whose final state is stored, for requests in this process that wait for them. */
  readonly onFinal?: (auditIds: readonly string[]) => void;
  /** Called with customers' new heads once everything below them is stored. */
  readonly onFolded?: (heads: UnitOutcome['heads']) => void;
}

export interface Sink {
  /**
   * Returns the offset to start at. Rejects with `SinkRefused` when log and warehouse contradict each other, and with
   * `LogGap` when the next record is gone.
   */
  onAssigned(assignment: Assignment): Promise<number>;
  /** First offset after a gap whose loss was accepted, or null. */
  skipGap(gap: LogGap): Promise<number | null>;
  /**
   * Resolves when every row of the batch is stored: then commit. Rejects with an outage (retry the batch) or with
   * `FoldRefused` (stop; everything before that record is stored). When the partition is lost, units waiting for a
   * flush are withdrawn and a running flush is awaited: afterwards nothing of the batch is in progress.
   */
  process(batch: Batch, under: HeldAssignment): Promise<undefined>;
  /** Resolves when the next flush may start. A partition that reads only then adds everything that arrived before. */
  linger(): Promise<void>;
}

/** The sink: turns batches of its topics into rows, with flushes shared by all partitions. */
export function createSink(options: SinkOptions): Sink {
  const { store, epoch, metrics = {}, onFinal = () => undefined, onFolded = () => undefined } = options;
  const skips = createSkips({ store, epoch, acceptedLoss: options.acceptedLoss ?? (async () => null) });
  const queue = flushesOf(options, skips);
  const marks = pendingMarks(options);
  const logContradictions = contradictionLogger(options);
  const ledger = ledgerBatches({ ...options, queue, skips, marks, logContradictions, onFinal, onFolded });
  const processAudits = auditBatches({ ...options, queue, marks, metrics, onFinal });
  return {
    onAssigned: async (assignment) => {
      if (assignment.topic === LEDGER.name) ledger.start(assignment);
      // Another owner's skips must be known before the first record is folded.
      skips.forget();
      try {
        return await startPosition(assignment, options);
      } catch (error) {
        const past = error instanceof LogGap ? await skips.skipGap(error) : null;
        if (past === null) throw error;
        return past;
      }
    },
    skipGap: skips.skipGap,
    process: async (batch, under) => {
      if (topicPartitionOf(batch) !== topicPartitionOf(under.assignment))
        throw new Error('the batch belongs to an earlier assignment');
      await (batch.topic === LEDGER.name ? ledger.process(batch, under) : processAudits(batch, under));
      return undefined;
    },
    linger: queue.due,
  };
}

/**
 * Queues the units of all partitions. Before a flush stores anything, the epoch and the skips are checked again,
 * because either may have changed what may be stored.
 */
function flushesOf(options: SinkOptions, skips: Skips): FlushQueue<FlushUnit, UnitOutcome> {
  const { store, publish, epoch, now, metrics = {}, stages, probe } = options;
  const assertMayStore = (folded: readonly StoredRecord[]): Promise<unknown> =>
    Promise.all([assertEpoch(store, epoch), folded.length === 0 ? null : skips.assertLeft(folded)]);
  return createFlushQueue<FlushUnit, UnitOutcome>({
    now: () => performance.now(),
    limits: { ...FLUSH_LIMITS, ...options.limits },
    flush: (units) => flush(units, { store, assertMayStore, publish, epoch, now, probe, metrics, stages }),
  });
}
