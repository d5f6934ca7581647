import type { Assignment, Batch } from '../../platform/event-log/port.ts';
import { type FlushUnit, positionBehind, type UnitOutcome } from './flush.ts';
import type { FlushQueue } from './flush-queue.ts';
import { FoldRefused } from './fold/fold-refused.ts';
import { createHeadCache } from './head-cache.ts';
import { type OpenParts, type OpenRecord, openRecords } from './open-records.ts';
import type { PendingMarks } from './pending-marks.ts';
import { inPieces } from './pieces.ts';
import type { Skips } from './skips.ts';
import { assertEpoch } from './start-position.ts';
import type { SinkStore } from './store.ts';
import { placeOf, type TakenUnder } from './taken-under.ts';
import type { TellContradictions } from './told-contradictions.ts';

interface LedgerBatchParts extends OpenParts {
  readonly queue: FlushQueue<FlushUnit, UnitOutcome>;
  readonly skips: Skips;
  readonly marks: PendingMarks;
  readonly store: Pick<SinkStore, 'epoch' | 'insert'>;
  readonly epoch: number;
  readonly tellContradictions: TellContradictions;
  readonly onFinal: (auditIds: readonly string[]) => void;
}

export interface LedgerBatches {
  /** Called with each assignment of a partition, before its first batch. */
  begin(assignment: Assignment): void;
  /** Rejects with `FoldRefused` at a record that must not be skipped; what lies before it is stored. */
  process(batch: Batch, under: TakenUnder): Promise<void>;
}

/** Batches of the ledger are folded piece by piece, less the records whose loss was accepted. */
export function ledgerBatches(parts: LedgerBatchParts): LedgerBatches {
  const { queue, skips, marks, store, epoch } = parts;
  const heads = createHeadCache();

  const storePiece = async (
    records: readonly OpenRecord[],
    behind: boolean,
    { assignment, signal }: TakenUnder,
  ): Promise<void> => {
    const sources = records.map(({ source }) => source);
    const { offset } = sources[0]!;
    const outcome = await queue.add(
      {
        kind: 'ledger',
        assignment,
        place: placeOf(assignment),
        sources,
        size: records.length,
        behind,
        records: records.map(({ record }) => record),
        cachedHeads: heads.at(assignment, offset),
      },
      signal,
    );
    parts.onFinal(outcome.final);
    parts.tellContradictions(assignment, outcome.contradictions);
    await marks.remove(outcome.listed);
    if (outcome.refused !== null) throw outcome.refused;
    heads.store(assignment, offset, sources.at(-1)!.offset + 1, outcome.heads);
  };

  const storeUnskipped = async (batch: Batch, under: TakenUnder): Promise<void> => {
    const left = await skips.left(batch.records);
    const { records, refused } = await openRecords(left, parts);
    const pieces = inPieces(records);
    for (const [n, piece] of pieces.entries()) {
      await storePiece(piece, n < pieces.length - 1 || batch.nextOffset < batch.end, under);
    }
    if (refused !== null) throw refused;
    const last = batch.records.at(-1)!;
    if (left.at(-1) === last) return;
    // No piece ends with a record that is skipped, and the partition is done up to there all the same. No flush asserts the
    // epoch of this row.
    await assertEpoch(store, epoch);
    await store.insert('positions', [positionBehind(last, epoch)]);
  };

  const process = async (batch: Batch, under: TakenUnder): Promise<void> => {
    try {
      await storeUnskipped(batch, under);
    } catch (error) {
      heads.forget(under.assignment);
      if (!(error instanceof FoldRefused)) throw error;
      const record = batch.records.find(({ offset }) => offset === error.offset);
      if (record === undefined || !(await skips.accept(record))) throw error;
      // Each time round one record more is skipped.
      await process(batch, under);
    }
  };

  return { begin: heads.begin, process };
}
