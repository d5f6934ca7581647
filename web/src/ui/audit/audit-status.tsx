import type { AuditStatus as Status } from '#schemas/vocabulary.ts';
import { label } from '../../labels/label.ts';

/** A mark per status, so that colour is not the only difference. */
const MARKS: Readonly<Record<Status, string>> = {
  QUEUED: '○',
  PROCESSING: '◐',
  COMPLETED: '✓',
  FAILED: '✗',
};

export const isFinal = (status: string): boolean => status === 'COMPLETED' || status === 'FAILED';

/** Mark and label of a status. */
export function AuditStatus({ status }: { readonly status: string }) {
  const mark = Object.hasOwn(MARKS, status) ? MARKS[status as Status] : null;
  return (
    <span className="audit-status" data-status={status}>
      {mark !== null && <span aria-hidden="true">{mark}</span>} {label('auditStatus', status)}
    </span>
  );
}
