import type { Admission } from '#platform/state/port.ts';
import type { UnitOutcome } from './flush.ts';

interface MarkDependencies {
  readonly admission: Pick<Admission, 'removePendingMarks'>;
  readonly logger: { warn(fields: object, message: string): void };
}

export interface PendingMarks {
  /** Removes the marks of audits whose rows are stored. */
  remove(listed: UnitOutcome['listed']): Promise<void>;
}

/** Maximum number of marks waiting for a retry; beyond it the oldest are left to expire. */
const MAX_MARKS = 50_000;

/**
 * Removes the marks that make an audit visible before its row exists. The rows are stored by then, so an unreachable
 * state blocks nothing: the marks are removed with the next ones.
 */
export function pendingMarks({ admission, logger }: MarkDependencies): PendingMarks {
  let left: UnitOutcome['listed'] = [];
  return {
    remove: async (listed) => {
      const marks = [...left, ...listed.map(({ customerId, auditId }) => ({ customerId, auditId }))];
      if (marks.length === 0) return;
      left = [];
      try {
        await admission.removePendingMarks(marks);
      } catch (err) {
        left = [...left, ...marks].slice(-MAX_MARKS);
        logger.warn({ err, marks: marks.length }, 'failed to remove pending marks');
      }
    },
  };
}
