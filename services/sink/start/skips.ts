import type { LogGap, StoredRecord } from '#platform/event-log/port.ts';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import { WarehouseUnavailable } from '#platform/warehouse/port.ts';
import type { AcceptedLoss } from '#records/losses/accepted-losses.ts';
import type { SkipRow } from '#schemas/tables/tables.ts';
import type { SinkStore } from '../flush/store.ts';

export interface SkipDependencies {
  readonly store: Pick<SinkStore, 'skips' | 'insert'>;
  readonly epoch: number;
  /** An operator's decision about this log offset in this epoch. */
  readonly acceptedLoss: (at: {
    readonly topic: string;
    readonly partition: number;
    readonly offset: number;
  }) => Promise<AcceptedLoss | null>;
}

/**
 * Records that are not folded because their loss was accepted. A skip decides what every later entry of the partition
 * is linked to, so it must be the same for all sinks of any release: it is stored in a table. The owner of the stopped
 * partition adds the row and continues only when it is stored; every other sink reads it before it folds.
 */
export interface Skips {
  /** The records of one partition that are to be folded, according to the rows read last. */
  left(records: readonly StoredRecord[]): Promise<readonly StoredRecord[]>;
  /**
   * Reads the rows again, concurrently with the other lookups of a flush, because those used by `left` may be outdated.
   * Rejects with an outage, so that the work is retried, when one of these records, about to be folded, is now skipped.
   */
  assertLeft(records: readonly StoredRecord[]): Promise<void>;
  /** True: the loss of exactly this record was accepted, and it is skipped from now on. */
  accept(record: StoredRecord): Promise<boolean>;
  /** First offset after a gap whose loss was accepted, or null. */
  skipGap(gap: LogGap): Promise<number | null>;
  /** Makes the next fold read the rows again first. */
  forget(): void;
}

export function createSkips({ store, epoch, acceptedLoss }: SkipDependencies): Skips {
  let known: Promise<SkipRow[]> | null = null;

  const readAgain = (): Promise<SkipRow[]> => {
    const fresh = store.skips(epoch);
    known = fresh;
    fresh.catch(() => {
      if (known === fresh) known = null;
    });
    return fresh;
  };
  const rowsOf = async (topic: string, partition: number): Promise<SkipRow[]> =>
    (await (known ?? readAgain())).filter((row) => row.topic === topic && row.partition === partition);
  const forget = (): void => {
    known = null;
  };
  const add = async (loss: AcceptedLoss): Promise<void> => {
    if (loss.epoch !== epoch) throw new Error('the accepted loss belongs to another epoch');
    // The row first: otherwise another owner would fold what this one has skipped.
    await store.insert('skips', [rowOf(loss)]);
    forget();
  };

  return {
    left: async (records) => {
      const first = records[0];
      if (first === undefined) return records;
      const own = await rowsOf(first.topic, first.partition);
      if (own.length === 0) return records;
      return records.filter((record) => !own.some((row) => skipsRecord(row, record)));
    },
    assertLeft: async (records) => {
      const rows = await readAgain();
      if (rows.length === 0) return;
      const isSkipped = (record: StoredRecord): boolean =>
        rows.some((row) => isOfPartition(row, record) && skipsRecord(row, record));
      if (records.some(isSkipped))
        throw new WarehouseUnavailable(
          'the loss of a record was accepted during the flush; restarting the flush',
          null,
        );
    },
    accept: async (record) => {
      forget();
      const loss = await acceptedLoss({
        topic: record.topic,
        partition: record.partition,
        offset: record.offset,
      });
      if (loss === null || loss.digest !== recordDigest(record)) return false;
      await add(loss);
      return true;
    },
    skipGap: async (gap) => {
      forget();
      const { topic, partition, offset } = gap;
      const isPast = (row: SkipRow): boolean =>
        row.digest === '' && row.offset <= offset && offset < row.untilOffset;
      const known = (await rowsOf(topic, partition)).find(isPast);
      if (known !== undefined) return known.untilOffset;
      const loss = await acceptedLoss({ topic, partition, offset });
      if (loss === null || loss.digest !== '') return null;
      await add(loss);
      return loss.untilOffset;
    },
    forget,
  };
}

/**
 * The operator's words and name stay in the state, and sealed in the entry, because rows of this table are never
 * deleted.
 */
function rowOf({ epoch, topic, partition, offset, untilOffset, digest, acceptedAt }: AcceptedLoss): SkipRow {
  return { epoch, topic, partition, offset, untilOffset, digest, acceptedAt };
}

const isOfPartition = (row: SkipRow, { topic, partition }: StoredRecord): boolean =>
  row.topic === topic && row.partition === partition;

/**
 * A refused record is skipped only while the log holds exactly that record; a gap is skipped whatever fills it later.
 */
function skipsRecord(row: SkipRow, record: StoredRecord): boolean {
  if (record.offset < row.offset || record.offset >= row.untilOffset) return false;
  return row.digest === '' || row.digest === recordDigest(record);
}
