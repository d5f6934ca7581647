import type { StoredRecord } from '#platform/event-log/port.ts';
import { attemptOf, type Step, stepsOf } from '#platform/stream/failure/retry-route.ts';
import { type AuditTriplet, SCHEMA_NAMES } from '#schemas/events/events.ts';
import type { AuditHeaders } from '#schemas/topics.ts';

/** Replay generation of a record, starting at 0. */
export function generationOf(headers: Readonly<Record<string, string>>): number {
  return /^\d{1,6}$/.test(headers.generation ?? '') ? Number(headers.generation) : 0;
}

/**
 * Headers of a signal's ledger record: everything that rows are made from, taken from the triplet itself where
 * possible. Headers of earlier failures are not carried over. `startedAt`: when this analysis started, Unix ms.
 */
export function signalHeaders(
  record: StoredRecord,
  triplet: AuditTriplet,
  startedAt: number,
): Readonly<Record<string, string>> {
  const attempt = attemptOf(record.headers);
  const analysing: Step = { name: 'ANALYZING', at: new Date(startedAt).toISOString(), attempt };
  const headers: AuditHeaders = {
    auditId: triplet.auditId,
    customerId: triplet.customerId,
    sandboxId: triplet.sandboxId,
    sandboxSlug: triplet.sandboxSlug,
    provider: triplet.provider,
    model: triplet.model,
    acceptedAt: triplet.acceptedAt,
    source: 'INGEST',
    generation: String(generationOf(record.headers)),
    attempt: String(attempt + 1),
    schema: SCHEMA_NAMES.ledger,
    steps: JSON.stringify([...stepsOf(record.headers), analysing]),
  };
  return { ...headers };
}
