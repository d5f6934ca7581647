import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/evidence/canonical-json.ts';
import { limitReached } from '../../../core/plans/plans.ts';
import { normaliseSlug } from '../../../platform/directory/records.ts';
import {
  AppendError,
  type Appended,
  AppendFailure,
  type LogRecord,
} from '../../../platform/event-log/port.ts';
import type { Reservation, ReservedItem } from '../../../platform/state/port.ts';
import {
  type AcceptedAudit,
  MAX_CUSTOM_FIELDS_BYTES,
  MAX_CUSTOM_FIELDS_DEPTH,
  type Receipt,
  type Triplet,
} from '../../../schemas/api/audits.ts';
import { type AuditTriplet, SCHEMA_NAMES, type TripletText } from '../../../schemas/events/events.ts';
import { type AuditHeaders, TRIPLETS } from '../../../schemas/topics.ts';
import { ApiError } from '../errors.ts';
import type { ApiParts } from '../parts.ts';
import type { Caller } from '../plugins/authentication.ts';
import { retryAfterSeconds } from '../plugins/rate-headers.ts';
import type { Answer, SentBody } from '../plugins/route.ts';
import { repeatedAnswer, settle } from './idempotently.ts';

const NONCE_BYTES = 32;

type SubmitParts = Pick<
  ApiParts,
  'state' | 'log' | 'codec' | 'keyring' | 'signingKey' | 'now' | 'newId' | 'randomBytes' | 'logger'
>;

type Accepted = Exclude<ReservedItem, { refused: unknown }>;

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
  });
  if (outcome.kind === 'limited') {
    throw new ApiError('RATE_LIMITED', {
      headers: { 'retry-after': String(retryAfterSeconds(outcome.rate)) },
    });
  }
  if (outcome.kind !== 'begun') return repeatedAnswer(outcome);
  const reservation = outcome.seed;
  const item = acceptedItem(reservation, caller);
  const digest = payloadDigest(reservation.nonce, canonical);
  const undo = (certain: boolean) =>
    // An attempt that took over cannot know what the earlier one appended.
    parts.state.admission.abandon(caller.customerId, reservation, idempotency, certain && !outcome.takenOver);
  const record = await tripletRecord(parts, caller.customerId, reservation, item, triplet, digest).catch(
    (error: unknown) => failed(error, undo, true),
  );
  const appended = await append(parts, record).catch((error: unknown) =>
    failed(error, undo, isCertain(error)),
  );
  const text = JSON.stringify(
    acceptedAnswer(item, reservation, receiptOf(parts, reservation, digest, appended)),
  );
  if (idempotency === null) return { text };
  const settled = await settle(parts, caller.customerId, idempotency, { statusCode: 202, body: text });
  return { statusCode: settled.statusCode, text: settled.body };
}

function checkCustomFields(fields: Record<string, unknown> | undefined): void {
  if (fields === undefined) return;
  const fits =
    isShallow(fields, MAX_CUSTOM_FIELDS_DEPTH) &&
    Buffer.byteLength(JSON.stringify(fields)) <= MAX_CUSTOM_FIELDS_BYTES;
  if (!fits) throw new ApiError('CUSTOM_FIELDS_TOO_LARGE');
}

/** A value is a level of its own, a scalar too. */
function isShallow(value: unknown, levels: number): boolean {
  if (levels === 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((child) => isShallow(child, levels - 1));
}

function acceptedItem(reservation: Reservation, caller: Caller): Accepted {
  const item = reservation.items[0];
  if (item === undefined) throw new Error('the state reserved nothing for an item');
  if (!('refused' in item)) return item;
  if (item.refused !== 'AUDIT_LIMIT_REACHED') throw new ApiError(item.refused);
  const { plan, auditQuota } = caller.customer;
  throw new ApiError(item.refused, { message: limitReached(plan, 'audit', auditQuota) });
}

const payloadDigest = (nonce: string, canonical: string): Buffer =>
  createHash('sha256').update(nonce, 'hex').update(canonical).digest();

const isoOf = (reservation: Reservation): string => new Date(reservation.acceptedAt).toISOString();

async function tripletRecord(
  parts: SubmitParts,
  customerId: string,
  reservation: Reservation,
  item: Accepted,
  triplet: Triplet,
  digest: Buffer,
): Promise<LogRecord> {
  const { auditId, sandboxId, sandboxVersion, sandboxSlug } = item;
  const { provider, model, metadata = {} } = triplet;
  const acceptedAt = isoOf(reservation);
  const text: TripletText = {
    prompt: triplet.prompt,
    response: triplet.response,
    ...(metadata.thinkingBlock === undefined ? {} : { thinkingBlock: metadata.thinkingBlock }),
    ...(metadata.customFields === undefined ? {} : { customFields: metadata.customFields }),
  };
  const plaintext = Buffer.from(JSON.stringify(text), 'utf8');
  const event: AuditTriplet = {
    v: 1,
    auditId,
    customerId,
    sandboxId,
    sandboxVersion,
    sandboxSlug,
    provider,
    model,
    acceptedAt,
    promptTokens: metadata.promptTokens ?? null,
    outputTokens: metadata.outputTokens ?? null,
    hasThinkingBlock: metadata.thinkingBlock !== undefined || (metadata.hasThinkingBlock ?? false),
    payloadDigest: digest,
    sealed: await parts.keyring.seal(customerId, 'triplet', auditId, plaintext),
  };
  const headers: AuditHeaders = {
    auditId,
    customerId,
    sandboxId,
    sandboxSlug,
    provider,
    model,
    acceptedAt,
    source: 'INGEST',
    generation: '0',
    attempt: '1',
    schema: SCHEMA_NAMES.triplet,
    steps: JSON.stringify([{ name: 'ACCEPTED', at: acceptedAt }]),
  };
  return {
    topic: TRIPLETS.name,
    key: auditId,
    value: parts.codec.encodeTriplet(event),
    headers: { ...headers },
  };
}

async function append(parts: SubmitParts, record: LogRecord): Promise<Appended> {
  const [appended] = await parts.log.append([record]);
  if (appended === undefined) throw new Error('the log answered an append without a position');
  return appended;
}

/** True when the record is certainly not in the log: only then may its count be given back. */
function isCertain(error: unknown): boolean {
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
  parts: SubmitParts,
  reservation: Reservation,
  digest: Buffer,
  { partition, offset }: Appended,
): Receipt {
  const signed = {
    payloadDigest: digest.toString('hex'),
    nonce: reservation.nonce,
    acceptedAt: isoOf(reservation),
    partition,
    offset,
    keyId: parts.signingKey.keyId,
  };
  const signature = parts.signingKey.sign(Buffer.from(canonicalJson(signed), 'utf8')).toString('base64');
  return { ...signed, signature };
}

function acceptedAnswer(item: Accepted, reservation: Reservation, receipt: Receipt): AcceptedAudit {
  const { auditId, sandboxSlug } = item;
  const status = 'QUEUED';
  return {
    success: true,
    auditId,
    status,
    data: { auditId, status, sandboxSlug, acceptedAt: isoOf(reservation), receipt },
  };
}
