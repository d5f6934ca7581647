import type { AuditCounts } from '#schemas/api/dashboard.ts';

interface AuditState {
  readonly state: keyof AuditCounts;
  readonly label: string;
  /** Of the list of audits. An erased audit keeps its status, and counts as erased alone. */
  readonly filters: Readonly<Record<string, string>>;
}

/** What becomes of accepted audits; each is in one of these states. */
export const AUDIT_STATES: readonly AuditState[] = [
  { state: 'stored', label: 'Completed', filters: { status: 'COMPLETED', erased: 'false' } },
  { state: 'inFlight', label: 'In progress', filters: { status: 'QUEUED', erased: 'false' } },
  { state: 'retrying', label: 'Retrying', filters: { status: 'PROCESSING', erased: 'false' } },
  { state: 'deadLettered', label: 'Failed', filters: { status: 'FAILED', erased: 'false' } },
  { state: 'erased', label: 'Erased', filters: { erased: 'true' } },
];
