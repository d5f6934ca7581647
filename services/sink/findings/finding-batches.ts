import { Undecodable } from '#platform/codec/port.ts';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { microBatch } from '#platform/flow/micro-batch.ts';
import type { CorrelationFinding } from '#schemas/events/events.ts';
import type { CorrelationRow } from '#schemas/tables/tables.ts';
import type { SinkStore } from '../flush/store.ts';
import { findingRow } from './finding-row.ts';

/** When findings are inserted. */
interface InsertPace {
  /** Least time between the starts of two inserts, ms. */
  readonly everyMs: number;
  /** How long the first findings of an insert wait for those of other partitions, ms. */
  readonly gatherMs: number;
}

export interface FindingBatchDependencies {
  readonly store: Pick<SinkStore, 'closings' | 'insert'>;
  readonly decodeFinding: (value: Buffer) => Promise<CorrelationFinding>;
  readonly logger: { warn(fields: object, message: string): void };
  readonly metrics: { unreadable?(topic: string, records: number): void };
  readonly inserts?: InsertPace;
}

/**
 * Each insert is a part of ten files, however few rows it has, and a merge soon: all partitions share one. What a flush of
 * the sink shows is found in all of them at about the same time, so the first waits for the others: alone in its insert,
 * it would make them wait for the next one.
 */
const INSERTS: InsertPace = { everyMs: 500, gatherMs: 100 };

/**
 * Turns batches of `audit.correlations` into rows of `correlations`, in the order of the records: of one finding the
 * highest version counts, whenever it was stored. Findings of erased customers are dropped, and so are records that are
 * none: they are counted, and nobody misses them for long, because each change of a finding tells all of it. Batches of
 * several partitions share an insert.
 */
export function findingBatches(dependencies: FindingBatchDependencies) {
  const { store, decodeFinding, logger, metrics, inserts = INSERTS } = dependencies;
  const rowOf = async ({ key, value }: StoredRecord): Promise<CorrelationRow | null> => {
    try {
      const finding = await decodeFinding(value);
      // The key decides the partition, and with it the order of a finding's versions.
      return finding.customerId === key ? findingRow(finding) : null;
    } catch (err) {
      if (err instanceof Undecodable) return null;
      throw err;
    }
  };
  const storeRows = microBatch<readonly CorrelationRow[], void>(async (batches) => {
    const rows = batches.flat();
    const closings = await store.closings([...new Set(rows.map(({ customerId }) => customerId))]);
    const closed = new Set(closings.map(({ customerId }) => customerId));
    const open = rows.filter(({ customerId }) => !closed.has(customerId));
    if (open.length > 0) await store.insert('correlations', open);
    return batches.map(() => undefined);
  }, inserts);
  return async ({ topic, records }: Batch): Promise<undefined> => {
    const rows: CorrelationRow[] = [];
    for (const record of records) {
      const row = await rowOf(record);
      if (row !== null) rows.push(row);
    }
    const unreadable = records.length - rows.length;
    if (unreadable > 0) {
      metrics.unreadable?.(topic, unreadable);
      logger.warn({ topic, records: unreadable }, 'skipped records without a finding');
    }
    if (rows.length > 0) await storeRows(rows);
  };
}
