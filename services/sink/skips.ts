import type { AcceptedLoss } from '../../platform/directory/accepted-losses.ts';
import type { LogHole, StoredRecord } from '../../platform/event-log/port.ts';
import { recordDigest } from '../../platform/event-log/record-digest.ts';
import type { SkipRow } from '../../schemas/tables/tables.ts';
import type { SinkStore } from './store.ts';

/** Rows are read again when they are older. Each flush of a busy sink costs one small read at most. */
const MAX_AGE_MS = 1_000;

export interface SkipParts {
  readonly store: Pick<SinkStore, 'skips' | 'insert'>;
  readonly epoch: number;
  /** What an operator has decided about this place of the log of this epoch. */
  readonly acceptedLoss: (place: {
    readonly topic: string;
    readonly partition: number;
    readonly offset: number;
  }) => Promise<AcceptedLoss | null>;
}

/**
 * What is not folded because its loss was accepted. What is skipped decides what every later entry of the partition is
 * linked to, so it is the same for all sinks, whatever their release: it stands in a table. The owner of the stopped
 * partition adds the row and goes on only when that is stored; every other one reads it before it folds.
 */
export interface Skips {
  /** The records of one partition that are to be folded. */
  left(records: readonly StoredRecord[]): Promise<readonly StoredRecord[]>;
  /** True: the loss of this very record was accepted, and from now on it is skipped. */
  accept(record: StoredRecord): Promise<boolean>;
  /** First offset behind a hole whose loss was accepted, or null. */
  passHole(hole: LogHole): Promise<number | null>;
  /** The rows are read anew before anything else is folded. */
  forget(): void;
}

export function createSkips({ store, epoch, acceptedLoss }: SkipParts): Skips {
  let read: { readonly at: number; readonly rows: Promise<SkipRow[]> } | null = null;

  const rows = (): Promise<SkipRow[]> => {
    if (read !== null && performance.now() - read.at < MAX_AGE_MS) return read.rows;
    const fresh = { at: performance.now(), rows: store.skips(epoch) };
    read = fresh;
    fresh.rows.catch(() => {
      if (read === fresh) read = null;
    });
    return fresh.rows;
  };
  const rowsOf = async (topic: string, partition: number): Promise<SkipRow[]> =>
    (await rows()).filter((row) => row.topic === topic && row.partition === partition);
  const forget = (): void => {
    read = null;
  };
  const add = async ({ cause: _cause, entryId: _entryId, ...row }: AcceptedLoss): Promise<void> => {
    if (row.epoch !== epoch) throw new Error('a loss of another epoch was accepted for this one');
    // First the row, then on: the other way round another owner would fold what this one has skipped.
    await store.insert('skips', [row]);
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
    passHole: async (hole) => {
      forget();
      const { topic, partition, offset } = hole;
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

/** A refused record is skipped only as long as the log holds that very record; a hole is a hole whatever fills it later. */
function skipsRecord(row: SkipRow, record: StoredRecord): boolean {
  if (record.offset < row.offset || record.offset >= row.untilOffset) return false;
  return row.digest === '' || row.digest === recordDigest(record);
}
