import { Undecodable } from '#platform/codec/port.ts';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import type { CorrelationFinding } from '#schemas/events/events.ts';
import type { CorrelationRow } from '#schemas/tables/tables.ts';
import type { SinkStore } from '../flush/store.ts';
import { findingRow } from './finding-row.ts';

export interface FindingBatchDependencies {
  readonly store: Pick<SinkStore, 'closings' | 'insert'>;
  readonly decodeFinding: (value: Buffer) => Promise<CorrelationFinding>;
  readonly logger: { warn(fields: object, message: string): void };
  readonly metrics: { unreadable?(topic: string, records: number): void };
}

/**
 * Turns batches of `audit.correlations` into rows of `correlations`, in the order of the records: of one finding the
 * highest version counts, whenever it was stored. Findings of erased customers are dropped, and so are records that are
 * none: they are counted, and nobody misses them for long, because each change of a finding tells all of it.
 */
export function findingBatches({ store, decodeFinding, logger, metrics }: FindingBatchDependencies) {
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
  return async ({ topic, records }: Batch): Promise<undefined> => {
    const rows: CorrelationRow[] = [];
    for (const record of records) {
      const row = await rowOf(record);
      if (row !== null) rows.push(row);
    }
    const unreadable = records.length - rows.length;
    if (unreadable > 0) {
      metrics.unreadable?.(topic, unreadable);
      logger.warn({ topic, unreadable }, 'records that hold no finding of their customer are not stored');
    }
    if (rows.length === 0) return;
    const closings = await store.closings([...new Set(rows.map(({ customerId }) => customerId))]);
    const closed = new Set(closings.map(({ customerId }) => customerId));
    const kept = rows.filter(({ customerId }) => !closed.has(customerId));
    if (kept.length > 0) await store.insert('correlations', kept);
  };
}
