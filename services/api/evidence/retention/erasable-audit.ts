import { Refusal } from '#platform/flow/refusal.ts';
import { findAudit } from '#platform/warehouse/queries/audits.ts';
import { ledgerEntry } from '#platform/warehouse/queries/ledger.ts';
import { findSignal } from '#platform/warehouse/queries/signals.ts';
import type { AuditRun } from '#records/audits/replay-marks.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { AuditHeaders } from '#schemas/topics.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { readAudit } from '../../operations/read-audit.ts';

/** An audit that has ended and is not erased. */
export interface ErasableAudit {
  /** false: the audit failed, so it has none. */
  readonly signal: boolean;
  readonly sandboxId: string;
  /** When the signal was made or, for a failed audit, when the audit was accepted; Unix ms. */
  readonly createdAt: number;
  /** Index of the signal's entry. */
  readonly index: number | null;
  /** For the fold: the source of the row of an audit without an entry. */
  readonly headers: Readonly<Record<string, string>>;
  /** The failed run. */
  readonly failed: AuditRun | null;
}

/** Says where to read the receipt, for clients that lost the answer and repeat the request. */
export const erasedAlready = (): Refusal =>
  new Refusal('NOT_FOUND', {
    message:
      'The signal is already erased, or its erasure is in progress. GET /evidence/retention/erasures/{id} returns the receipt.',
  });

/**
 * 404 for an unknown audit, and for an erased one of which nothing is served; 409 for one that has not ended. Content
 * that a run erased and that was stored again is erased as if for the first time.
 */
export async function erasableAudit(
  dependencies: ApiDependencies,
  customerId: string,
  auditId: string,
): Promise<ErasableAudit> {
  const audit = await readAudit(dependencies, customerId, auditId);
  if (audit.erased === true) {
    const signal = await servedSignal(dependencies, customerId, auditId);
    if (signal === null) throw erasedAlready();
    return signal;
  }
  if (audit.status === 'QUEUED' || audit.status === 'PROCESSING') throw new Refusal('AUDIT_IN_FLIGHT');
  return audit.status === 'FAILED'
    ? failedAudit(dependencies, customerId, auditId)
    : storedSignal(dependencies, customerId, auditId);
}

async function storedSignal(
  dependencies: ApiDependencies,
  customerId: string,
  auditId: string,
): Promise<ErasableAudit> {
  const signal = await servedSignal(dependencies, customerId, auditId);
  if (signal !== null) return signal;
  // Only the list shows it: its row there was restored, or its signal's row is gone.
  const { warehouse } = dependencies;
  const entry = await ledgerEntry(warehouse, customerId, entryIdOf('SIGNAL', auditId));
  const row = entry === null ? null : await findAudit(warehouse, customerId, auditId, null);
  if (entry === null || row === null) throw new Refusal('NOT_FOUND');
  return erasable(entry.index, row.sandboxId, entry.at);
}

async function servedSignal(
  { warehouse }: ApiDependencies,
  customerId: string,
  auditId: string,
): Promise<ErasableAudit | null> {
  const signal = await findSignal(warehouse, customerId, auditId);
  return signal === null ? null : erasable(signal.index, signal.sandboxId, signal.createdAt);
}

const erasable = (index: number, sandboxId: string, createdAt: string): ErasableAudit => ({
  signal: true,
  sandboxId,
  createdAt: Date.parse(createdAt),
  index,
  headers: {},
  failed: null,
});

async function failedAudit(
  { warehouse }: ApiDependencies,
  customerId: string,
  auditId: string,
): Promise<ErasableAudit> {
  const row = await findAudit(warehouse, customerId, auditId, null);
  if (row === null) throw new Refusal('NOT_FOUND');
  if (row.erased) throw erasedAlready();
  // It was replayed meanwhile.
  if (row.status !== 'FAILED') throw new Refusal('AUDIT_IN_FLIGHT');
  const { sandboxId, sandboxSlug, acceptedAt, source, generation, attempts, steps } = row;
  const headers: Omit<AuditHeaders, 'schema'> & Record<string, string> = {
    auditId,
    customerId,
    sandboxId,
    sandboxSlug,
    provider: '',
    model: '',
    acceptedAt,
    source: source === 'INTERNAL' ? 'INTERNAL' : 'INGEST',
    generation: String(generation),
    attempt: String(attempts + 1),
    steps: steps === '' ? '[]' : steps,
    ...(row.failureCode === null ? {} : { 'x-failure-code': row.failureCode }),
    ...(row.completedAt === null ? {} : { 'x-failed-at': row.completedAt }),
  };
  return {
    signal: false,
    sandboxId,
    createdAt: Date.parse(acceptedAt),
    index: null,
    headers,
    failed: { customerId, auditId, generation },
  };
}
