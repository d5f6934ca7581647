import type { AuditCounts } from '#schemas/api/dashboard.ts';

interface AuditState {
  readonly state: keyof AuditCounts;
  readonly label: string;
  /** Of the list of audits. An erased audit keeps its status, and counts as erased alone. */
  readonly filters: Readonly<Record<string, string>>;
}

/** What becomes of accepted audits; each is in one of these states. */
export const AUDIT_STATES: readonly AuditState[] = [
  { state: 'stored', label: 'with a signal', filters: { status: 'COMPLETED', erased: 'false' } },
  { state: 'inFlight', label: 'in flight', filters: { status: 'QUEUED', erased: 'false' } },
  { state: 'retrying', label: 'retrying', filters: { status: 'PROCESSING', erased: 'false' } },
  { state: 'deadLettered', label: 'failed', filters: { status: 'FAILED', erased: 'false' } },
  { state: 'erased', label: 'erased', filters: { erased: 'true' } },
];
