import { timeSlice } from '#platform/flow/time-slice.ts';
import { ingestBatch } from '#schemas/api/audit-batch.ts';
import { ingestAudit } from '#schemas/api/audits.ts';
import type { AddRoute } from '../http/route.ts';
import type { ReceiptDesk } from './receipts.ts';
import type { SubmitDependencies } from './seal-triplet.ts';
import { submitAudit } from './submit-audit.ts';
import { submitBatch } from './submit-batch.ts';

export function auditRoutes(
  add: AddRoute,
  dependencies: SubmitDependencies & { readonly receipts: ReceiptDesk },
): void {
  add(ingestAudit, ({ caller, body, sent }) => submitAudit(dependencies, caller, body, sent));
  // One time slice for all batches: with one each, ten of them would hold up the event loop ten times as long.
  const yieldTurn = timeSlice(() => performance.now());
  add(ingestBatch, ({ caller, sent }) => submitBatch(dependencies, yieldTurn, caller, sent));
}
