import type { Batch } from '#platform/event-log/port.ts';
import type { FlushUnit, UnitOutcome } from '../flush/flush.ts';
import type { FlushQueue } from '../flush/flush-queue.ts';
import { type HeldAssignment, isLagging, topicPartitionOf } from '../flush/held-assignment.ts';
import type { PendingMarks } from '../flush/pending-marks.ts';
import { auditRow } from '../rows/audit-rows.ts';

export interface AuditMetrics {
  /** Called with the number of audit records whose headers could not be read. */
  unreadable?(topic: string, records: number): void;
}

interface AuditBatchDependencies {
  readonly queue: FlushQueue<FlushUnit, UnitOutcome>;
  readonly marks: PendingMarks;
  readonly epoch: number;
  readonly logger: { warn(fields: object, message: string): void };
  readonly metrics: AuditMetrics;
  readonly onFinal: (auditIds: readonly string[]) => void;
}

/** Turns batches of the audit topics into rows of the audit list. */
export function auditBatches(dependencies: AuditBatchDependencies) {
  const { queue, marks, epoch, logger, metrics } = dependencies;
  return async (batch: Batch, { assignment, signal }: HeldAssignment): Promise<void> => {
    const { topic, records } = batch;
    const rows = records.map((record) => auditRow(record, epoch)).filter((row) => row !== null);
    if (rows.length < records.length) {
      const unreadable = records.length - rows.length;
      metrics.unreadable?.(topic, unreadable);
      logger.warn({ topic, records: unreadable }, 'skipped records without audit headers');
    }
    const { listed, final } = await queue.add(
      {
        kind: 'audits',
        assignment,
        topicPartition: topicPartitionOf(batch),
        sources: records,
        size: records.length,
        isLagging: isLagging(batch),
        rows,
      },
      signal,
    );
    dependencies.onFinal(final);
    await marks.remove(listed);
  };
}
