import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppendError, type Appended, AppendFailure, type LogRecord } from '#platform/event-log/port.ts';
import type { AdmittedAudits } from '#platform/state/admitted-audits.ts';
import type { AttemptStart, IdempotencyKey, Reservation } from '#platform/state/port.ts';
import { normaliseSlug } from '#records/documents/sandbox-record.ts';
import type { Receipt, Triplet } from '#schemas/api/audits.ts';
import type { Caller } from '../operations/caller.ts';
import { rateLimited } from '../operations/limits/caller-rate.ts';
import type { SentObject } from '../operations/sent-json.ts';
import type { ReceiptSigner } from './receipts.ts';
import {
  type Accepted,
  admittedOf,
  isAccepted,
  NONCE_BYTES,
  payloadDigest,
  refusalOf,
  type SubmitDependencies,
  tripletRecord,
} from './seal-triplet.ts';

/** A triplet as sent. */
interface SubmittedTriplet {
  readonly triplet: Triplet;
  readonly canonical: SentObject;
  readonly idempotency: IdempotencyKey | null;
  /** Awaited between steps that take milliseconds each; null: none does. */
  readonly pause: (() => Promise<unknown>) | null;
}

/** What was accepted, or the answer to an earlier request under the same Idempotency-Key. */
type SubmittedAudit =
  | {
      readonly auditId: string;
      readonly sandboxSlug: string;
      readonly receipt: Receipt;
      readonly counted: AdmittedAudits;
    }
  | { readonly repeated: Exclude<AttemptStart<unknown>, { readonly kind: 'begun' }> };

/**
 * Ingests one triplet: reserve (one atomic call of the state), seal, append, and only then the receipt. A repeat under
 * the same Idempotency-Key uses the first reservation, so the ledger drops a second append.
 */
export async function submitAudit(
  dependencies: SubmitDependencies & { readonly receipts: ReceiptSigner },
  caller: Caller,
  { triplet, canonical, idempotency, pause }: SubmittedTriplet,
): Promise<SubmittedAudit> {
  const acceptedAt = dependencies.now();
  const { sandboxSlug, provider, model } = triplet;
  const outcome = await dependencies.state.admission.reserve({
    customerId: caller.customerId,
    items: [{ slug: normaliseSlug(sandboxSlug), provider, model, auditId: dependencies.newId(acceptedAt) }],
    extraRateCost: 0,
    idempotency,
    acceptedAt,
    nonce: dependencies.randomBytes(NONCE_BYTES).toString('hex'),
    early: true,
  });
  if (outcome.kind === 'limited') throw rateLimited(outcome.rate);
  if (outcome.kind !== 'begun') return { repeated: outcome };
  const reservation = outcome.seed;
  const item = acceptedItem(reservation, caller);
  const admitted = admittedOf(caller.customerId, reservation);
  if (pause !== null) await pause();
  const digest = await payloadDigest(admitted.nonce, canonical, nextTurn);
  if (pause !== null) await pause();
  const undo = (certain: boolean) =>
    // An attempt that took over cannot know what the earlier one appended.
    dependencies.state.admission.abandon(
      caller.customerId,
      reservation,
      idempotency,
      certain && !outcome.takenOver,
    );
  const record = await tripletRecord(dependencies, admitted, item, triplet, { digest, canonical }).catch(
    (error: unknown) => failed(error, undo, true),
  );
  const appended = await append(dependencies, record).catch((error: unknown) =>
    failed(error, undo, isCertain(error)),
  );
  // Stored concurrently with the append. If this fails, the audit is in the log, but the client gets no 202.
  await outcome.durable;
  const receipt = await dependencies.receipts.receipt({
    payloadDigest: digest.toString('hex'),
    nonce: reservation.nonce,
    acceptedAt: admitted.acceptedAt,
    partition: appended.partition,
    offset: appended.offset,
  });
  // With a key it is counted with the remembered answer.
  if (idempotency === null) dependencies.admitted.add(caller.customerId, reservation.acceptedAt, 1);
  return {
    auditId: item.auditId,
    sandboxSlug: item.sandboxSlug,
    receipt,
    counted: {
      customerId: caller.customerId,
      epoch: dependencies.admitted.epoch,
      acceptedAt: reservation.acceptedAt,
      count: 1,
    },
  };
}

function acceptedItem(reservation: Reservation, caller: Caller): Accepted {
  const item = reservation.items[0];
  if (item === undefined) throw new Error('the state returned no reservation for an item');
  if (isAccepted(item)) return item;
  throw refusalOf(item.refused, caller);
}

async function append(dependencies: SubmitDependencies, record: LogRecord): Promise<Appended> {
  const [appended] = await dependencies.log.append([record]);
  if (appended === undefined) throw new Error('the log returned no offset for an append');
  return appended;
}

/** True if the record is certainly not in the log: only then may its count be released. */
export function isCertain(error: unknown): boolean {
  const failure = error instanceof AppendError ? error.outcomes[0] : error;
  return failure instanceof AppendFailure && failure.certain;
}

async function failed(
  error: unknown,
  undo: (certain: boolean) => Promise<void>,
  certain: boolean,
): Promise<never> {
  // If the state is down too, the lease expires by itself and the count stays, so the quota is never exceeded.
  await undo(certain).catch(() => undefined);
  throw error;
}
