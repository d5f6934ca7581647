import { timeSlice } from '#platform/flow/time-slice.ts';
import { ingestBatch } from '#schemas/api/audit-batch.ts';
import { ingestAudit } from '#schemas/api/audits.ts';
import type { AddRoute } from '../../plugins/route.ts';
import type { ReceiptDesk } from '../../use-cases/ingest/receipts.ts';
import type { SubmitDependencies } from '../../use-cases/ingest/seal-triplet.ts';
import { submitAudit } from '../../use-cases/ingest/submit-audit.ts';
import { submitBatch } from '../../use-cases/ingest/submit-batch.ts';

export function auditRoutes(
  add: AddRoute,
  dependencies: SubmitDependencies & { readonly receipts: ReceiptDesk },
): void {
  add(ingestAudit, ({ caller, body, sent }) => submitAudit(dependencies, caller, body, sent));
  // One time slice for all batches: with one each, ten of them would hold up the event loop ten times as long.
  const yieldTurn = timeSlice(() => performance.now());
  add(ingestBatch, ({ caller, sent }) => submitBatch(dependencies, yieldTurn, caller, sent));
}
