import { createHash, hash } from 'node:crypto';
import { limitReached } from '#core/plans/plans.ts';
import type { LogRecord } from '#platform/event-log/port.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { runSteps, type YieldTurn } from '#platform/flow/time-slice.ts';
import type { Reservation, ReservedItem } from '#platform/state/port.ts';
import type { AdmittedCounts } from '#records/audits/admitted-counts.ts';
import type { Triplet } from '#schemas/api/audits.ts';
import { type AuditTriplet, SCHEMA_NAMES } from '#schemas/events/events.ts';
import { type AuditHeaders, TRIPLETS } from '#schemas/topics.ts';
import type { Caller } from '../operations/caller.ts';
import type { CutMedia } from '../operations/cut-media.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';
import type { SentObject } from '../operations/sent-json.ts';

/** Shared by ingesting one triplet and ingesting a batch. */

export type SubmitDependencies = Pick<
  ApiDependencies,
  'state' | 'log' | 'codec' | 'keyring' | 'now' | 'newId' | 'randomBytes' | 'logger'
> & { readonly admitted: AdmittedCounts };

export type Accepted = Exclude<ReservedItem, { refused: unknown }>;
type Unreserved = Exclude<ReservedItem, Accepted>['refused'];

export const isAccepted = (item: ReservedItem): item is Accepted => !('refused' in item);

export const NONCE_BYTES = 32;

/** Why the state reserved nothing for an item. */
export function refusalOf(refused: Unreserved, caller: Caller): Refusal {
  if (refused !== 'AUDIT_LIMIT_REACHED') return new Refusal(refused);
  const { plan, auditQuota } = caller.customer;
  return new Refusal(refused, { message: limitReached(plan, 'audit', auditQuota) });
}

/** Shared by all records of one reservation. */
interface Admitted {
  readonly customerId: string;
  /** ISO 8601. */
  readonly acceptedAt: string;
  readonly nonce: Buffer;
  /** Header `steps`. */
  readonly steps: string;
}

export function admittedOf(customerId: string, { acceptedAt, nonce }: Reservation): Admitted {
  const at = new Date(acceptedAt).toISOString();
  // JSON, as a serialiser would write it.
  const steps = `[{"name":"ACCEPTED","at":"${at}"}]`;
  return { customerId, acceptedAt: at, nonce: Buffer.from(nonce, 'hex'), steps };
}

/** SHA-256 over the nonce's bytes and the canonical JSON of the triplet as sent, including the files in its texts. */
export function payloadDigest(
  nonce: Buffer,
  { text, media }: SentObject,
  yieldTurn: YieldTurn,
): Buffer | Promise<Buffer> {
  return media === null ? digestOf(nonce, text) : runSteps(digestWithMedia(nonce, text, media), yieldTurn);
}

function* digestWithMedia(nonce: Buffer, text: string, media: CutMedia): Generator<undefined, Buffer> {
  const digest = createHash('sha256').update(nonce);
  yield* media.hash(digest, text);
  return digest.digest();
}

function digestOf(nonce: Buffer, canonical: string): Buffer {
  const bytes = Buffer.allocUnsafe(nonce.length + Buffer.byteLength(canonical));
  nonce.copy(bytes);
  bytes.write(canonical, nonce.length, 'utf8');
  return hash('sha256', bytes, 'buffer');
}

/** What is derived from a triplet as it was sent. */
interface SentTriplet {
  /** `payloadDigest`. */
  readonly digest: Buffer;
  readonly canonical: SentObject;
}

/** The record of `audit.triplets`: text and custom fields sealed, the rest as the audit list shows it. */
export async function tripletRecord(
  dependencies: Pick<SubmitDependencies, 'codec' | 'keyring'>,
  { customerId, acceptedAt, steps }: Admitted,
  item: Accepted,
  triplet: Triplet,
  { digest, canonical }: SentTriplet,
): Promise<LogRecord> {
  const { auditId, sandboxId, sandboxVersion, sandboxSlug } = item;
  const { provider, model, metadata = {} } = triplet;
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
    sealed: await dependencies.keyring.seal(customerId, 'triplet', auditId, sealedText(triplet, canonical)),
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
    steps,
  };
  return {
    topic: TRIPLETS.name,
    key: auditId,
    value: dependencies.codec.encodeTriplet(event),
    headers: { ...headers },
  };
}

/**
 * `TripletText` in JSON, as a serialiser would write it. Canonical JSON writes texts the same way, so those already
 * written for the digest are not serialised again.
 */
function sealedText({ prompt, response, metadata = {} }: Triplet, canonical: SentObject): Buffer {
  let text = `{"prompt":${stringIn(canonical, 'prompt') ?? JSON.stringify(prompt)}`;
  text += `,"response":${stringIn(canonical, 'response') ?? JSON.stringify(response)}`;
  const { thinkingBlock, customFields } = metadata;
  if (thinkingBlock !== undefined) text += `,"thinkingBlock":${JSON.stringify(thinkingBlock)}`;
  if (customFields !== undefined) text += `,"customFields":${JSON.stringify(customFields)}`;
  return Buffer.from(`${text}}`, 'utf8');
}

/** The JSON of a string member that is stored as it was sent. */
function stringIn({ members, media }: SentObject, name: string): string | undefined {
  return media === null ? members.get(name) : undefined;
}
