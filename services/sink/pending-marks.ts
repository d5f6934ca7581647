import type { Admission } from '../../platform/state/port.ts';
import type { UnitOutcome } from './flush.ts';

interface MarkParts {
  readonly admission: Pick<Admission, 'removePendingMarks'>;
  readonly logger: { warn(fields: object, message: string): void };
}

export interface PendingMarks {
  /** Of audits whose rows are stored. */
  remove(listed: UnitOutcome['listed']): Promise<void>;
}

/** Marks that wait for another try; beyond that the oldest are left to expire by themselves. */
const MAX_MARKS = 50_000;

/**
 * Removes the marks by which an audit is visible before its row is. The rows are stored by then, so a state that
 * cannot be reached holds nothing up: the marks are removed with the next ones.
 */
export function pendingMarks({ admission, logger }: MarkParts): PendingMarks {
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
        logger.warn({ err, marks: marks.length }, 'pending marks stay for now: the state did not answer');
      }
    },
  };
}
