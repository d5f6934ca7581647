import { Refusal } from '#platform/flow/refusal.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import type { AdmittedAudits } from '#platform/state/admitted-audits.ts';
import type { IdempotencyKey, RateState, Reservation, ReserveRequest } from '#platform/state/port.ts';
import { normaliseSlug } from '#records/documents/records.ts';
import { type AcceptedBatch, ITEMS_PER_RATE_TOKEN, type RefusedBatch } from '#schemas/api/audit-batch.ts';
import { tokensForBytes } from '../http/bodies/body-admission.ts';
import type { SentBody } from '../http/bodies/sent-body.ts';
import { repeatedAnswer, settle } from '../http/idempotently.ts';
import { rateHeaders } from '../http/limits/rate-headers.ts';
import { headersOf, statusOf, toRefusal } from '../http/refusals.ts';
import type { Answer } from '../http/route.ts';
import type { Caller } from '../operations/caller.ts';
import { bucketOf, spend } from '../operations/caller-rate.ts';
import { idsFrom } from '../operations/ids.ts';
import { appendBatch, type Failure, type Reserved } from './append-batch.ts';
import { batchKey, type ReadItem, readBatch } from './read-batch.ts';
import {
  type Accepted,
  isAccepted,
  NONCE_BYTES,
  rateLimited,
  refusalOf,
  type SubmitDependencies,
} from './seal-triplet.ts';

/** Outcome of an item. */
type Result = Accepted | Refusal;

/** Codes with which a batch is refused as a whole when the log took none of its items. */
const REFUSED_WHOLE: ReadonlySet<string> = new Set(['STORAGE_FULL', 'PARTITION_STOPPED']);

const isRefused = (result: Result): result is Refusal => result instanceof Refusal;

/**
 * Ingests a batch. Each item is read, checked and answered by itself; all are reserved in one atomic call of the state
 * and appended in one call of the log. The payload digests of all items use one nonce, which is answered with them,
 * because items have no receipts.
 */
export async function submitBatch(
  dependencies: SubmitDependencies,
  yieldTurn: YieldTurn,
  caller: Caller,
  sent: SentBody,
): Promise<Answer> {
  const { customerId } = caller;
  const raw = sent.raw();
  const items = await readBatch(raw, yieldTurn);
  const idempotency = await batchKey(sent, raw, yieldTurn);
  // Tokens were charged for the bytes above, and are charged for the items here: whichever are more.
  const paid = tokensForBytes(raw.bytes.length, caller);
  const request = reserveRequest(dependencies, customerId, items, idempotency);
  const cost = await extraCost(dependencies, caller, items.length, paid);
  const outcome = await dependencies.state.admission.reserve({ ...request, extraRateCost: cost.ofCustomer });
  if (outcome.kind === 'limited') throw tooMuch(outcome.rate, cost.all);
  if (outcome.kind !== 'begun') return repeatedAnswer(outcome);
  const { seed: reservation, takenOver } = outcome;
  const headers = cost.all === 0 || takenOver ? {} : await rateAfter(dependencies, caller);
  const results = resultsOf(items, reservation, caller);
  const attempt = { customerId, reservation, idempotency, takenOver };
  const failures = await appendBatch(dependencies, attempt, reservedOf(items, results), yieldTurn);
  const failed = failures.find((failure) => failure !== null);
  const appended = failures.filter((failure) => failure === null).length;
  // With a key they are counted by the answer that is remembered; until then a repeat appends the same ones again.
  if (idempotency === null && appended > 0)
    dependencies.admitted.add(customerId, reservation.acceptedAt, appended);
  if (failed === undefined) {
    const counted = {
      customerId,
      epoch: dependencies.admitted.epoch,
      acceptedAt: reservation.acceptedAt,
      count: appended,
    };
    return remembered(dependencies, counted, idempotency, answerOf(results, reservation, headers));
  }
  dependencies.logger.warn({ err: failed, customerId }, 'items of a batch were not appended');
  const error = toRefusal(failed);
  // The whole request may be repeated, and a client that does not look into batches should see that by the status too.
  if (appended === 0 && REFUSED_WHOLE.has(error.code)) throw error;
  return answerOf(withFailures(results, failures, error), reservation, { ...headers, ...headersOf(error) });
}

function reserveRequest(
  dependencies: SubmitDependencies,
  customerId: string,
  items: readonly ReadItem[],
  idempotency: IdempotencyKey | null,
): Omit<ReserveRequest, 'extraRateCost'> {
  const acceptedAt = dependencies.now();
  const triplets = items.flatMap((item) => (item instanceof Refusal ? [] : [item.triplet]));
  const ids = idsFrom(dependencies.newId(acceptedAt), triplets.length);
  return {
    customerId,
    items: triplets.map(({ sandboxSlug, provider, model }, place) => ({
      slug: normaliseSlug(sandboxSlug),
      provider,
      model,
      auditId: ids[place]!,
    })),
    idempotency,
    acceptedAt,
    nonce: dependencies.randomBytes(NONCE_BYTES).toString('hex'),
  };
}

/**
 * What the items cost beyond what was paid: the first token was taken with the key, before their number was known. The
 * customer's bucket is charged with the reservation, and not for a repeat; that of a session here, for each.
 */
async function extraCost(
  { state }: SubmitDependencies,
  caller: Caller,
  items: number,
  paidTokens: number,
): Promise<{ readonly all: number; readonly ofCustomer: number }> {
  const all = Math.max(0, Math.ceil(items / ITEMS_PER_RATE_TOKEN) - 1 - paidTokens);
  if (caller.session === null || all === 0) return { all, ofCustomer: all };
  const rate = await spend(state.admission, caller, all);
  if (rate.retryAfterMs > 0) throw tooMuch(rate, all);
  return { all, ofCustomer: 0 };
}

function tooMuch(rate: RateState, extraCost: number): Refusal {
  if (extraCost <= rate.limit) return rateLimited(rate);
  const most = rate.limit * ITEMS_PER_RATE_TOKEN;
  return rateLimited(
    rate,
    `A batch costs more than your rate limit ever holds; send at most ${most} triplets`,
  );
}

/** The headers after the rest of the cost was charged. If the state cannot give them, they are left out. */
async function rateAfter(
  dependencies: SubmitDependencies,
  caller: Caller,
): Promise<Readonly<Record<string, string>>> {
  try {
    const rate = await spend(dependencies.state.admission, caller, 0);
    return rateHeaders(rate, bucketOf(caller).ratePerSecond, dependencies.now());
  } catch {
    return {};
  }
}

/** Combines the state's decisions on the triplets with the errors of items that are none. */
function resultsOf(items: readonly ReadItem[], reservation: Reservation, caller: Caller): Result[] {
  const decided = reservation.items.map((item) =>
    isAccepted(item) ? item : refusalOf(item.refused, caller),
  );
  if (decided.every(isRefused)) {
    const exhausted = decided.find(({ code }) => code === 'AUDIT_LIMIT_REACHED');
    if (exhausted !== undefined) throw exhausted;
  }
  // Another release, which parses triplets differently, may have begun this batch; an id must not be used for another
  // text.
  if (items.filter((item) => !(item instanceof Refusal)).length !== decided.length)
    throw new Error('the state holds another number of triplets than the batch');
  let next = 0;
  return items.map((item) => (item instanceof Refusal ? item : decided[next++]!));
}

const reservedOf = (items: readonly ReadItem[], results: readonly Result[]): Reserved[] =>
  items.flatMap((read, place) => {
    const item = results[place]!;
    return read instanceof Refusal || isRefused(item) ? [] : [{ read, item }];
  });

/** `failures`: one per accepted item, in order. */
function withFailures(results: readonly Result[], failures: readonly Failure[], error: Refusal): Result[] {
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

/** Keeps a whole answer under its key, and counts its audits with it; only what was accepted is remembered. */
async function remembered(
  dependencies: SubmitDependencies,
  counted: AdmittedAudits,
  key: IdempotencyKey | null,
  { statusCode = 202, body, headers = {} }: Answer,
): Promise<Answer> {
  if (key === null || statusCode !== 202) return { statusCode, body, headers };
  const answer = { statusCode, body: JSON.stringify(body) };
  const settled = await settle(dependencies, counted.customerId, key, answer, counted);
  return { statusCode: settled.statusCode, text: settled.body, headers };
}
