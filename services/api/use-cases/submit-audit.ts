import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '../../../core/evidence/canonical-json.ts';
import { normaliseSlug } from '../../../platform/directory/records.ts';
import {
  AppendError,
  type Appended,
  AppendFailure,
  type LogRecord,
} from '../../../platform/event-log/port.ts';
import type { Reservation } from '../../../platform/state/port.ts';
import type { AcceptedAudit, Receipt, Triplet } from '../../../schemas/api/audits.ts';
import type { Caller } from '../plugins/authentication.ts';
import { LARGE_BYTES } from '../plugins/body.ts';
import type { Answer, SentBody } from '../plugins/route.ts';
import { repeatedAnswer, settle } from './idempotently.ts';
import {
  type Accepted,
  type Admitted,
  admittedOf,
  checkCustomFields,
  isAccepted,
  NONCE_BYTES,
  payloadDigest,
  rateLimited,
  refusalOf,
  type SubmitParts,
  tripletRecord,
} from './seal-triplet.ts';

/**
 * Takes in one triplet: reserve (one atomic call of the state), seal, append, and only then the receipt. A repeat
 * under the same Idempotency-Key uses what was reserved first, so that the ledger drops what is appended twice.
 */
export async function submitAudit(
  parts: SubmitParts,
  caller: Caller,
  triplet: Triplet,
  sent: SentBody,
): Promise<Answer> {
  checkCustomFields(triplet.metadata?.customFields);
  const canonical = sent.canonical();
  // Of a large triplet each of these takes milliseconds: others go on between them.
  const pause = canonical.length > LARGE_BYTES ? nextTurn : null;
  await pause?.();
  const idempotency = sent.idempotency();
  const acceptedAt = parts.now();
  const { sandboxSlug, provider, model } = triplet;
  const outcome = await parts.state.admission.reserve({
    customerId: caller.customerId,
    items: [{ slug: normaliseSlug(sandboxSlug), provider, model, auditId: parts.newId(acceptedAt) }],
    extraRateCost: 0,
    idempotency,
    acceptedAt,
    nonce: parts.randomBytes(NONCE_BYTES).toString('hex'),
    early: true,
  });
  if (outcome.kind === 'limited') throw rateLimited(outcome.rate);
  if (outcome.kind !== 'begun') return repeatedAnswer(outcome);
  const reservation = outcome.seed;
  const item = acceptedItem(reservation, caller);
  const admitted = admittedOf(caller.customerId, reservation);
  await pause?.();
  const digest = payloadDigest(admitted.nonce, canonical);
  await pause?.();
  const undo = (certain: boolean) =>
    // An attempt that took over cannot know what the earlier one appended.
    parts.state.admission.abandon(caller.customerId, reservation, idempotency, certain && !outcome.takenOver);
  const record = await tripletRecord(parts, admitted, item, triplet, digest).catch((error: unknown) =>
    failed(error, undo, true),
  );
  const appended = await append(parts, record).catch((error: unknown) =>
    failed(error, undo, isCertain(error)),
  );
  // Stored side by side with the append. A fault here leaves the audit in the log, and the client without a 202.
  await outcome.durable;
  const receipt = receiptOf(parts, admitted, digest, appended);
  const text = JSON.stringify(acceptedAnswer(item, receipt));
  if (idempotency === null) {
    parts.admitted.add(caller.customerId, reservation.acceptedAt, 1);
    return { text };
  }
  const answer = { statusCode: 202, body: text };
  const counted = {
    customerId: caller.customerId,
    epoch: parts.admitted.epoch,
    acceptedAt: reservation.acceptedAt,
    count: 1,
  };
  const settled = await settle(parts, caller.customerId, idempotency, answer, counted);
  return { statusCode: settled.statusCode, text: settled.body };
}

function acceptedItem(reservation: Reservation, caller: Caller): Accepted {
  const item = reservation.items[0];
  if (item === undefined) throw new Error('the state reserved nothing for an item');
  if (isAccepted(item)) return item;
  throw refusalOf(item.refused, caller);
}

async function append(parts: SubmitParts, record: LogRecord): Promise<Appended> {
  const [appended] = await parts.log.append([record]);
  if (appended === undefined) throw new Error('the log answered an append without a position');
  return appended;
}

/** True when the record is certainly not in the log: only then may its count be given back. */
export function isCertain(error: unknown): boolean {
  const failure = error instanceof AppendError ? error.outcomes[0] : error;
  return failure instanceof AppendFailure && failure.certain;
}

async function failed(
  error: unknown,
  undo: (certain: boolean) => Promise<void>,
  certain: boolean,
): Promise<never> {
  // When the state is gone too, the lease lapses by itself and the count stays: never more than the quota.
  await undo(certain).catch(() => undefined);
  throw error;
}

function receiptOf(
  parts: Pick<SubmitParts, 'signingKey'>,
  { acceptedAt, nonce }: Admitted,
  digest: Buffer,
  { partition, offset }: Appended,
): Receipt {
  const signed = {
    payloadDigest: digest.toString('hex'),
    nonce: nonce.toString('hex'),
    acceptedAt,
    partition,
    offset,
    keyId: parts.signingKey.keyId,
  };
  const signature = parts.signingKey.sign(Buffer.from(canonicalJson(signed), 'utf8'));
  return { ...signed, signature: signature.toString('base64') };
}

function acceptedAnswer({ auditId, sandboxSlug }: Accepted, receipt: Receipt): AcceptedAudit {
  const status = 'QUEUED';
  const { acceptedAt } = receipt;
  return { success: true, auditId, status, data: { auditId, status, sandboxSlug, acceptedAt, receipt } };
}
