import type { AuditStatus as Status } from '#schemas/vocabulary.ts';

/** A mark per status, so that nobody has to tell colours apart. */
const MARKS: Readonly<Record<Status, string>> = {
  QUEUED: '○',
  PROCESSING: '◐',
  COMPLETED: '✓',
  FAILED: '✗',
};

export const isFinal = (status: string): boolean => status === 'COMPLETED' || status === 'FAILED';

/** Mark and word of a status; the bare word of one that another release knows. */
export function AuditStatus({ status }: { readonly status: string }) {
  const mark = Object.hasOwn(MARKS, status) ? MARKS[status as Status] : null;
  return (
    <span className="audit-status" data-status={status}>
      {mark !== null && <span aria-hidden="true">{mark}</span>} {status}
    </span>
  );
}
