import type { AuditCounts } from '#schemas/api/dashboard.ts';

interface AuditState {
  readonly state: keyof AuditCounts;
  readonly label: string;
  /** Filters of the list of audits. An erased audit keeps its status, but counts only as erased. */
  readonly filters: Readonly<Record<string, string>>;
}

/** States of accepted audits; each audit is in one of them. */
export const AUDIT_STATES: readonly AuditState[] = [
  { state: 'stored', label: 'Completed', filters: { status: 'COMPLETED', erased: 'false' } },
  { state: 'inFlight', label: 'In progress', filters: { status: 'QUEUED', erased: 'false' } },
  { state: 'retrying', label: 'Retrying', filters: { status: 'PROCESSING', erased: 'false' } },
  { state: 'deadLettered', label: 'Failed', filters: { status: 'FAILED', erased: 'false' } },
  { state: 'erased', label: 'Erased', filters: { erased: 'true' } },
];
