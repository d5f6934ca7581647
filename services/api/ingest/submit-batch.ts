import { Refusal } from '#platform/flow/refusal.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import type { AdmittedAudits } from '#platform/state/admitted-audits.ts';
import type {
  AttemptStart,
  IdempotencyKey,
  RateState,
  Reservation,
  ReserveRequest,
} from '#platform/state/port.ts';
import { normaliseSlug } from '#records/documents/sandbox-record.ts';
import { ITEMS_PER_RATE_TOKEN } from '#schemas/api/audit-batch.ts';
import type { Caller } from '../operations/caller.ts';
import { idsFrom } from '../operations/ids.ts';
import { rateLimited, spend } from '../operations/limits/caller-rate.ts';
import type { ReadItem } from '../operations/read-item.ts';
import { appendBatch, type Failure, type Reserved } from './append-batch.ts';
import {
  type Accepted,
  isAccepted,
  NONCE_BYTES,
  refusalOf,
  type SubmitDependencies,
} from './seal-triplet.ts';

/** Outcome of an item. */
export type Result = Accepted | Refusal;

export const isRefused = (result: Result): result is Refusal => result instanceof Refusal;

/** A batch as sent. */
interface ReadBatch {
  readonly items: readonly ReadItem[];
  readonly idempotency: IdempotencyKey | null;
  /** Already charged for its bytes. The batch costs the larger of its bytes and its items. */
  readonly paidTokens: number;
}

/** The outcome of the items, or the answer to an earlier request under the same Idempotency-Key. */
export type SubmittedBatch =
  | {
      readonly results: readonly Result[];
      /** One per accepted item, in order. */
      readonly failures: readonly Failure[];
      /** The first failure. */
      readonly failed: Failure;
      readonly nonce: string;
      /** The caller's bucket, if the items cost more than the request. */
      readonly rate: RateState | null;
      readonly counted: AdmittedAudits;
    }
  | { readonly repeated: Exclude<AttemptStart<unknown>, { readonly kind: 'begun' }> };

/**
 * Ingests a batch. Each item is read, checked and answered separately; all are reserved in one atomic call of the state
 * and appended in one call of the log. The payload digests of all items share one nonce, which is returned with them,
 * because items have no receipts.
 */
export async function submitBatch(
  dependencies: SubmitDependencies,
  yieldTurn: YieldTurn,
  caller: Caller,
  { items, idempotency, paidTokens }: ReadBatch,
): Promise<SubmittedBatch> {
  const { customerId } = caller;
  const request = reserveRequest(dependencies, customerId, items, idempotency);
  const cost = await extraCost(dependencies, caller, items.length, paidTokens);
  const outcome = await dependencies.state.admission.reserve({ ...request, extraRateCost: cost.ofCustomer });
  if (outcome.kind === 'limited') throw tooMuch(outcome.rate, cost.all);
  if (outcome.kind !== 'begun') return { repeated: outcome };
  const { seed: reservation, takenOver } = outcome;
  const rate = cost.all === 0 || takenOver ? null : await rateAfter(dependencies, caller);
  const results = resultsOf(items, reservation, caller);
  const attempt = { customerId, reservation, idempotency, takenOver };
  const failures = await appendBatch(dependencies, attempt, reservedOf(items, results), yieldTurn);
  const failed = failures.find((failure) => failure !== null) ?? null;
  const appended = failures.filter((failure) => failure === null).length;
  // With a key they are counted with the remembered answer; until then a repeat appends the same ones again.
  if (idempotency === null && appended > 0)
    dependencies.admitted.add(customerId, reservation.acceptedAt, appended);
  if (failed !== null) dependencies.logger.warn({ err: failed, customerId }, 'failed to append batch items');
  const { acceptedAt, nonce } = reservation;
  const counted = { customerId, epoch: dependencies.admitted.epoch, acceptedAt, count: appended };
  return { results, failures, failed, nonce, rate, counted };
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
    items: triplets.map(({ sandboxSlug, provider, model }, index) => ({
      slug: normaliseSlug(sandboxSlug),
      provider,
      model,
      auditId: ids[index]!,
    })),
    idempotency,
    acceptedAt,
    nonce: dependencies.randomBytes(NONCE_BYTES).toString('hex'),
  };
}

/**
 * What the items cost beyond what was paid: the first token was taken with the key, before their number was known. The
 * customer's bucket is charged with the reservation, and not for a repeat; a session's is charged here, for each
 * request.
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
  return rateLimited(rate, `The batch exceeds your burst limit. Send at most ${most} triplets.`);
}

/** The bucket after charging the rest of the cost. Null: the state does not answer. */
const rateAfter = (dependencies: SubmitDependencies, caller: Caller): Promise<RateState | null> =>
  spend(dependencies.state.admission, caller, 0).catch(() => null);

/** Combines the state's decisions on the triplets with the errors of the other items. */
function resultsOf(items: readonly ReadItem[], reservation: Reservation, caller: Caller): Result[] {
  const decided = reservation.items.map((item) =>
    isAccepted(item) ? item : refusalOf(item.refused, caller),
  );
  if (decided.every(isRefused)) {
    const exhausted = decided.find(({ code }) => code === 'AUDIT_LIMIT_REACHED');
    if (exhausted !== undefined) throw exhausted;
  }
  // Another release, which parses triplets differently, may have started this batch; an id must not be used for another
  // text.
  if (items.filter((item) => !(item instanceof Refusal)).length !== decided.length)
    throw new Error('the state and the batch have different numbers of triplets');
  let next = 0;
  return items.map((item) => (item instanceof Refusal ? item : decided[next++]!));
}

const reservedOf = (items: readonly ReadItem[], results: readonly Result[]): Reserved[] =>
  items.flatMap((read, index) => {
    const item = results[index]!;
    return read instanceof Refusal || isRefused(item) ? [] : [{ read, item }];
  });
