import type { Batch } from '../../platform/event-log/port.ts';
import { auditRow } from './audit-rows.ts';
import type { FlushUnit, UnitOutcome } from './flush.ts';
import type { FlushQueue } from './flush-queue.ts';
import type { PendingMarks } from './pending-marks.ts';
import { placeOf, type TakenUnder } from './taken-under.ts';

export interface AuditMetrics {
  /** Records of the audit topics whose headers could not be read. */
  unreadable?(topic: string, records: number): void;
}

interface AuditBatchParts {
  readonly queue: FlushQueue<FlushUnit, UnitOutcome>;
  readonly marks: PendingMarks;
  readonly epoch: number;
  readonly logger: { warn(fields: object, message: string): void };
  readonly metrics: AuditMetrics;
  readonly onFinal: (auditIds: readonly string[]) => void;
}

/** Batches of the topics that audits travel through become rows of the audit list. */
export function auditBatches(parts: AuditBatchParts) {
  const { queue, marks, epoch, logger, metrics } = parts;
  return async (batch: Batch, { assignment, signal }: TakenUnder): Promise<void> => {
    const { topic, records, nextOffset, end } = batch;
    const rows = records.map((record) => auditRow(record, epoch)).filter((row) => row !== null);
    if (rows.length < records.length) {
      const unreadable = records.length - rows.length;
      metrics.unreadable?.(topic, unreadable);
      logger.warn({ topic, unreadable }, 'records whose headers name no audit are not listed');
    }
    const { listed, final } = await queue.add(
      {
        kind: 'audits',
        assignment,
        place: placeOf(batch),
        sources: records,
        size: records.length,
        behind: nextOffset < end,
        rows,
      },
      signal,
    );
    parts.onFinal(final);
    await marks.remove(listed);
  };
}
