import { normaliseSlug } from '../../../platform/directory/records.ts';
import type {
  AdmittedAudits,
  IdempotencyKey,
  RateState,
  Reservation,
  ReserveRequest,
} from '../../../platform/state/port.ts';
import {
  type AcceptedBatch,
  ITEMS_PER_RATE_TOKEN,
  type RefusedBatch,
} from '../../../schemas/api/audit-batch.ts';
import { ApiError, toApiError } from '../errors.ts';
import type { Caller } from '../plugins/authentication.ts';
import { tokensForBytes } from '../plugins/body-admission.ts';
import { rateHeaders } from '../plugins/rate-headers.ts';
import type { Answer, SentBody } from '../plugins/route.ts';
import { appendBatch, type Failure, type Reserved } from './append-batch.ts';
import { repeatedAnswer, settle } from './idempotently.ts';
import { idsFrom } from './ids.ts';
import { batchKey, type GiveWay, type ReadItem, readBatch } from './read-batch.ts';
import {
  type Accepted,
  isAccepted,
  NONCE_BYTES,
  rateLimited,
  refusalOf,
  type SubmitParts,
} from './seal-triplet.ts';

/** What becomes of an item. */
type Result = Accepted | ApiError;

const isRefused = (result: Result): result is ApiError => result instanceof ApiError;

/**
 * Takes in a batch. Each item is read, checked and answered by itself; all are reserved in one atomic call of the state
 * and appended in one call of the log. One nonce stands behind the payload digests of all items and is answered with
 * them, for items have no receipts.
 */
export async function submitBatch(
  parts: SubmitParts,
  giveWay: GiveWay,
  caller: Caller,
  sent: SentBody,
): Promise<Answer> {
  const { customerId } = caller;
  const raw = sent.raw();
  const items = await readBatch(raw, giveWay);
  const idempotency = await batchKey(sent, raw, giveWay);
  // Tokens are taken for the bytes before, or for the items here: whichever are more.
  const paid = tokensForBytes(raw.bytes.length, caller);
  const request = reserveRequest(parts, customerId, items, idempotency, paid);
  const outcome = await parts.state.admission.reserve(request);
  if (outcome.kind === 'limited') throw tooMuch(outcome.rate, request.extraRateCost);
  if (outcome.kind !== 'begun') return repeatedAnswer(outcome);
  const { seed: reservation, takenOver } = outcome;
  const headers = request.extraRateCost === 0 || takenOver ? {} : await rateAfter(parts, caller);
  const results = resultsOf(items, reservation, caller);
  const attempt = { customerId, reservation, idempotency, takenOver };
  const failures = await appendBatch(parts, attempt, reservedOf(items, results), giveWay);
  const failed = failures.find((failure) => failure !== null);
  const appended = failures.filter((failure) => failure === null).length;
  // With a key they are counted by the answer that is remembered; until then a repeat appends the same ones again.
  if (idempotency === null && appended > 0) parts.admitted.add(customerId, reservation.acceptedAt, appended);
  if (failed === undefined) {
    const counted = {
      customerId,
      epoch: parts.admitted.epoch,
      acceptedAt: reservation.acceptedAt,
      count: appended,
    };
    return remembered(parts, counted, idempotency, answerOf(results, reservation, headers));
  }
  parts.logger.warn({ err: failed, customerId }, 'items of a batch were not appended');
  const error = toApiError(failed);
  // The whole request may be repeated, and a client that knows no batches should see that by the status too.
  if (appended === 0 && error.code === 'STORAGE_FULL') throw error;
  return answerOf(withFailures(results, failures, error), reservation, { ...headers, ...error.headers });
}

function reserveRequest(
  parts: SubmitParts,
  customerId: string,
  items: readonly ReadItem[],
  idempotency: IdempotencyKey | null,
  paidTokens: number,
): ReserveRequest {
  const acceptedAt = parts.now();
  const triplets = items.flatMap((item) => (item instanceof ApiError ? [] : [item.triplet]));
  const ids = idsFrom(parts.newId(acceptedAt), triplets.length);
  return {
    customerId,
    items: triplets.map(({ sandboxSlug, provider, model }, place) => ({
      slug: normaliseSlug(sandboxSlug),
      provider,
      model,
      auditId: ids[place]!,
    })),
    // The first token was taken with the key, before anybody knew how many items would come.
    extraRateCost: Math.max(0, Math.ceil(items.length / ITEMS_PER_RATE_TOKEN) - 1 - paidTokens),
    idempotency,
    acceptedAt,
    nonce: parts.randomBytes(NONCE_BYTES).toString('hex'),
  };
}

function tooMuch(rate: RateState, extraCost: number): ApiError {
  if (extraCost <= rate.limit) return rateLimited(rate);
  const most = rate.limit * ITEMS_PER_RATE_TOKEN;
  return rateLimited(
    rate,
    `A batch costs more than your rate limit ever holds; send at most ${most} triplets`,
  );
}

/** The headers after the rest of the cost was taken. A state that does not tell them fails nothing. */
async function rateAfter(
  parts: SubmitParts,
  { customerId, customer }: Caller,
): Promise<Readonly<Record<string, string>>> {
  try {
    const rate = await parts.state.admission.takeRate(customerId, 0);
    return rateHeaders(rate, customer.ratePerSecond, parts.now());
  } catch {
    return {};
  }
}

/** Puts what the state decided on the triplets between the items that are none. */
function resultsOf(items: readonly ReadItem[], reservation: Reservation, caller: Caller): Result[] {
  const decided = reservation.items.map((item) =>
    isAccepted(item) ? item : refusalOf(item.refused, caller),
  );
  if (decided.every(isRefused)) {
    const exhausted = decided.find(({ code }) => code === 'AUDIT_LIMIT_REACHED');
    if (exhausted !== undefined) throw exhausted;
  }
  // Another release, which reads triplets differently, may have begun this batch; an id must not meet another's text.
  if (items.filter((item) => !(item instanceof ApiError)).length !== decided.length)
    throw new Error('the state holds another number of triplets than the batch');
  let next = 0;
  return items.map((item) => (item instanceof ApiError ? item : decided[next++]!));
}

const reservedOf = (items: readonly ReadItem[], results: readonly Result[]): Reserved[] =>
  items.flatMap((read, place) => {
    const item = results[place]!;
    return read instanceof ApiError || isRefused(item) ? [] : [{ read, item }];
  });

/** `failures`: one of each accepted item, in order. */
function withFailures(results: readonly Result[], failures: readonly Failure[], error: ApiError): Result[] {
  let next = 0;
  return results.map((result) => (isRefused(result) || failures[next++] === null ? result : error));
}

function answerOf(
  results: readonly Result[],
  { nonce }: Reservation,
  headers: Readonly<Record<string, string>>,
): Answer {
  const rejected = results.filter(isRefused).length;
  const accepted = results.length - rejected;
  const data = results.map((result, index) =>
    isRefused(result)
      ? { index, error: { statusCode: result.statusCode, code: result.code, message: result.message } }
      : { index, auditId: result.auditId, status: 'QUEUED' as const },
  );
  if (accepted === 0) {
    const body: RefusedBatch = { success: false, accepted, rejected, data };
    return { statusCode: 400, headers, body };
  }
  const body: AcceptedBatch = { success: true, accepted, rejected, data, nonce };
  return { statusCode: 202, headers, body };
}

/** Keeps a whole answer under its key, and counts its audits with it; only what was accepted is remembered. */
async function remembered(
  parts: SubmitParts,
  counted: AdmittedAudits,
  key: IdempotencyKey | null,
  { statusCode = 202, body, headers = {} }: Answer,
): Promise<Answer> {
  if (key === null || statusCode !== 202) return { statusCode, body, headers };
  const answer = { statusCode, body: JSON.stringify(body) };
  const settled = await settle(parts, counted.customerId, key, answer, counted);
  return { statusCode: settled.statusCode, text: settled.body, headers };
}
