import { timeSlice } from '../../../../platform/runtime/time-slice.ts';
import { ingestBatch } from '../../../../schemas/api/audit-batch.ts';
import { ingestAudit } from '../../../../schemas/api/audits.ts';
import type { AddRoute } from '../../plugins/route.ts';
import type { SubmitParts } from '../../use-cases/seal-triplet.ts';
import { submitAudit } from '../../use-cases/submit-audit.ts';
import { submitBatch } from '../../use-cases/submit-batch.ts';

export function auditRoutes(add: AddRoute, parts: SubmitParts): void {
  add(ingestAudit, ({ caller, body, sent }) => submitAudit(parts, caller, body, sent));
  // One slice for all batches: with one each, ten of them would hold up the event loop ten times as long.
  const giveWay = timeSlice(() => performance.now());
  add(ingestBatch, ({ caller, sent }) => submitBatch(parts, giveWay, caller, sent));
}
