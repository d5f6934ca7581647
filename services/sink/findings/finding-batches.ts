import { Undecodable } from '#platform/codec/port.ts';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { microBatch } from '#platform/flow/micro-batch.ts';
import type { CorrelationFinding } from '#schemas/events/events.ts';
import type { CorrelationRow } from '#schemas/tables/tables.ts';
import type { SinkStore } from '../flush/store.ts';
import { findingRow } from './finding-row.ts';

/** When findings are inserted. */
interface InsertPace {
  /** Minimum time between the starts of two inserts, ms. */
  readonly everyMs: number;
  /** How long the first findings of an insert wait for findings of other partitions, ms. */
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
 * Each insert creates a part of ten files, however few its rows, and soon a merge, so all partitions share inserts.
 * Correlators find what a flush made visible in all partitions at about the same time, so the first findings wait for
 * the others: inserted alone, they would make the others wait for the next insert.
 */
const INSERTS: InsertPace = { everyMs: 500, gatherMs: 100 };

/**
 * Turns batches of `audit.correlations` into rows of `correlations`, in record order. The highest version of a finding
 * wins, whenever it was stored. Drops findings of erased customers, and records that are not findings: these are
 * counted, and the loss is short-lived because each change of a finding publishes all of it. Batches of several
 * partitions share an insert.
 */
export function findingBatches(dependencies: FindingBatchDependencies) {
  const { store, decodeFinding, logger, metrics, inserts = INSERTS } = dependencies;
  const rowOf = async ({ key, value }: StoredRecord): Promise<CorrelationRow | null> => {
    try {
      const finding = await decodeFinding(value);
      // The key determines the partition, and so the order of a finding's versions.
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
