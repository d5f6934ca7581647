import { setImmediate as nextTurn } from 'node:timers/promises';
import { timeSlice, type YieldTurn } from '#platform/flow/time-slice.ts';
import type { IdempotencyKey } from '#platform/state/port.ts';
import { type AcceptedBatch, ingestBatch, type RefusedBatch } from '#schemas/api/audit-batch.ts';
import { ingestAudit, type Triplet } from '#schemas/api/audits.ts';
import { LARGE_BYTES } from '../http/bodies/body.ts';
import { tokensForBytes } from '../http/bodies/body-admission.ts';
import { batchKey, readBatch } from '../http/bodies/read-batch.ts';
import type { SentBody } from '../http/bodies/sent-body.ts';
import { headersOf, statusOf, toRefusal } from '../http/errors/refusals.ts';
import { repeatedAnswer, settle } from '../http/idempotently.ts';
import { rateHeaders } from '../http/limits/rate-headers.ts';
import type { AddRoute, Answer } from '../http/route.ts';
import type { Caller } from '../operations/caller.ts';
import { checkCustomFields } from '../operations/custom-fields.ts';
import { bucketOf } from '../operations/limits/caller-rate.ts';
import { acceptedText } from './accepted-text.ts';
import type { ReceiptSigner } from './receipts.ts';
import type { SubmitDependencies } from './seal-triplet.ts';
import { submitAudit } from './submit-audit.ts';
import { isRefused, type Result, type SubmittedBatch, submitBatch } from './submit-batch.ts';
import { withSuggestions } from './suggest-sandboxes.ts';

type AuditDependencies = SubmitDependencies & { readonly receipts: ReceiptSigner };

export function auditRoutes(add: AddRoute, dependencies: AuditDependencies): void {
  add(ingestAudit, ({ caller, body, sent }) => answerAudit(dependencies, caller, body, sent));
  // One time slice for all batches: with one each, ten batches would block the event loop ten times as long.
  const yieldTurn = timeSlice(() => performance.now());
  add(ingestBatch, ({ caller, sent }) => answerBatch(dependencies, yieldTurn, caller, sent));
}

export async function answerAudit(
  dependencies: AuditDependencies,
  caller: Caller,
  triplet: Triplet,
  sent: SentBody,
): Promise<Answer> {
  checkCustomFields(triplet.metadata?.customFields);
  const canonical = sent.canonicalObject();
  // Each step takes milliseconds for a large triplet.
  const pause = canonical.text.length > LARGE_BYTES ? nextTurn : null;
  if (pause !== null) await pause();
  const idempotency = sent.idempotency();
  const submitted = await submitAudit(dependencies, caller, { triplet, canonical, idempotency, pause });
  if ('repeated' in submitted) return repeatedAnswer(submitted.repeated);
  const { auditId, sandboxSlug, receipt, counted } = submitted;
  const text = acceptedText(auditId, sandboxSlug, receipt);
  if (idempotency === null) return { text };
  const answer = { statusCode: 202, body: text };
  const settled = await settle(dependencies, caller.customerId, idempotency, answer, counted);
  return { statusCode: settled.statusCode, text: settled.body };
}

/** Error codes that refuse a batch as a whole if the log took none of its items. */
const REFUSED_WHOLE: ReadonlySet<string> = new Set(['STORAGE_FULL', 'PARTITION_STOPPED']);

export async function answerBatch(
  dependencies: SubmitDependencies,
  yieldTurn: YieldTurn,
  caller: Caller,
  sent: SentBody,
): Promise<Answer> {
  const raw = sent.raw();
  const items = await readBatch(raw, yieldTurn);
  const idempotency = await batchKey(sent, raw, yieldTurn);
  const paidTokens = tokensForBytes(raw.bytes.length, caller);
  const batch = { items, idempotency, paidTokens };
  const submitted = await submitBatch(dependencies, yieldTurn, caller, batch);
  if ('repeated' in submitted) return repeatedAnswer(submitted.repeated);
  const { rate, failed, counted } = submitted;
  const { documents } = dependencies.state;
  const results = await withSuggestions(documents, caller.customerId, items, submitted.results);
  const headers = rate === null ? {} : rateHeaders(rate, bucketOf(caller).ratePerSecond, dependencies.now());
  if (failed === null)
    return remembered(dependencies, counted, idempotency, answerOf(results, submitted.nonce, headers));
  const error = toRefusal(failed);
  // The whole request may be repeated, and the status should say so to a client that does not read the results.
  if (counted.count === 0 && REFUSED_WHOLE.has(error.code)) throw error;
  const withFailures = failedResults({ ...submitted, results }, error);
  return answerOf(withFailures, submitted.nonce, { ...headers, ...headersOf(error) });
}

type Submitted = Exclude<SubmittedBatch, { readonly repeated: unknown }>;

function failedResults(
  { results, failures }: Submitted,
  error: Extract<Result, { readonly code: unknown }>,
): Result[] {
  let next = 0;
  return results.map((result) => (isRefused(result) || failures[next++] === null ? result : error));
}

function answerOf(
  results: readonly Result[],
  nonce: string,
  headers: Readonly<Record<string, string>>,
): Answer {
  const rejected = results.filter(isRefused).length;
  const accepted = results.length - rejected;
  const data = results.map((result, index) =>
    isRefused(result)
      ? { index, error: { statusCode: statusOf(result), code: result.code, message: result.message } }
      : { index, auditId: result.auditId, status: 'QUEUED' as const },
  );
  if (accepted === 0) {
    const body: RefusedBatch = { success: false, accepted, rejected, data };
    return { statusCode: 400, headers, body };
  }
  const body: AcceptedBatch = { success: true, accepted, rejected, data, nonce };
  return { statusCode: 202, headers, body };
}

/** Saves a whole answer under its key, and counts its audits with it; only what was accepted is remembered. */
async function remembered(
  dependencies: SubmitDependencies,
  counted: Submitted['counted'],
  key: IdempotencyKey | null,
  { statusCode = 202, body, headers = {} }: Answer,
): Promise<Answer> {
  if (key === null || statusCode !== 202) return { statusCode, body, headers };
  const answer = { statusCode, body: JSON.stringify(body) };
  const settled = await settle(dependencies, counted.customerId, key, answer, counted);
  return { statusCode: settled.statusCode, text: settled.body, headers };
}
