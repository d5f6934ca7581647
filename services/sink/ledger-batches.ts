import type { Assignment, Batch } from '#platform/event-log/port.ts';
import { inErasureChunks } from './flush/chunks.ts';
import { type FlushUnit, positionAfter, type UnitOutcome } from './flush/flush.ts';
import type { FlushQueue } from './flush/flush-queue.ts';
import { createHeadCache } from './flush/head-cache.ts';
import { type HeldAssignment, isLagging, topicPartitionOf } from './flush/held-assignment.ts';
import type { PendingMarks } from './flush/pending-marks.ts';
import type { LogContradictions } from './flush/reported-contradictions.ts';
import type { SinkStore } from './flush/store.ts';
import { FoldRefused } from './fold/fold-refused.ts';
import { type OpenDependencies, type OpenRecord, openRecords } from './start/open-records.ts';
import type { Skips } from './start/skips.ts';
import { assertEpoch } from './start/start-position.ts';

interface LedgerBatchDependencies extends OpenDependencies {
  readonly queue: FlushQueue<FlushUnit, UnitOutcome>;
  readonly skips: Skips;
  readonly marks: PendingMarks;
  readonly store: Pick<SinkStore, 'epoch' | 'insert'>;
  readonly epoch: number;
  readonly logContradictions: LogContradictions;
  readonly onFinal: (auditIds: readonly string[]) => void;
  /** Called with customers' new heads once everything below them is stored. */
  readonly onFolded: (heads: UnitOutcome['heads']) => void;
}

interface LedgerBatches {
  /** Called with each assignment of a partition, before its first batch. */
  start(assignment: Assignment): void;
  /** Rejects with `FoldRefused` at a record that must not be skipped; everything before it is stored. */
  process(batch: Batch, under: HeldAssignment): Promise<void>;
}

/** Folds ledger batches chunk by chunk, without the records whose loss was accepted. */
export function ledgerBatches(dependencies: LedgerBatchDependencies): LedgerBatches {
  const { queue, skips, marks, store, epoch } = dependencies;
  const heads = createHeadCache();

  const storeChunk = async (
    records: readonly OpenRecord[],
    isLagging: boolean,
    { assignment, signal }: HeldAssignment,
  ): Promise<void> => {
    const sources = records.map(({ source }) => source);
    const { offset } = sources[0]!;
    const outcome = await queue.add(
      {
        kind: 'ledger',
        assignment,
        topicPartition: topicPartitionOf(assignment),
        sources,
        size: records.length,
        isLagging,
        records: records.map(({ record }) => record),
        cachedHeads: heads.at(assignment, offset),
      },
      signal,
    );
    dependencies.onFinal(outcome.final);
    dependencies.onFolded(outcome.heads);
    dependencies.logContradictions(assignment, outcome.contradictions);
    await marks.remove(outcome.listed);
    if (outcome.refused !== null) throw outcome.refused;
    heads.store(assignment, offset, sources.at(-1)!.offset + 1, outcome.heads);
  };

  const storeUnskipped = async (batch: Batch, under: HeldAssignment): Promise<void> => {
    const left = await skips.left(batch.records);
    const { records, refused } = await openRecords(left, dependencies);
    const chunks = inErasureChunks(records);
    for (const [n, chunk] of chunks.entries()) {
      await storeChunk(chunk, n < chunks.length - 1 || isLagging(batch), under);
    }
    if (refused !== null) throw refused;
    const last = batch.records.at(-1)!;
    if (left.at(-1) === last) return;
    // No chunk ends with a skipped record, but the partition's position is still after it. No flush asserts the epoch
    // of this row.
    await assertEpoch(store, epoch);
    await store.insert('positions', [positionAfter(last, epoch)]);
  };

  const process = async (batch: Batch, under: HeldAssignment): Promise<void> => {
    try {
      await storeUnskipped(batch, under);
    } catch (error) {
      heads.forget(under.assignment);
      if (!(error instanceof FoldRefused)) throw error;
      const record = batch.records.find(({ offset }) => offset === error.offset);
      if (record === undefined || !(await skips.accept(record))) throw error;
      // Each recursion skips one more record.
      await process(batch, under);
    }
  };

  return { start: heads.begin, process };
}
