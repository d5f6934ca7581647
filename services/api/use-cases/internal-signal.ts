import { createHmac } from 'node:crypto';
import { servedCore } from '../../../core/evidence/served.ts';
import { ledgerRecord } from '../../../platform/codec/ledger-record.ts';
import { normaliseSlug, type SandboxRecord } from '../../../platform/directory/records.ts';
import { KeyDestroyed } from '../../../platform/sealing/port.ts';
import { PENDING_MARK_MS, SYSTEM_SCOPE } from '../../../platform/state/port.ts';
import { findAudit } from '../../../platform/warehouse/queries/audits.ts';
import { findSignal } from '../../../platform/warehouse/queries/signals.ts';
import { parseDate } from '../../../schemas/api/dates.ts';
import type { AcceptedSignal, NewInternalSignal } from '../../../schemas/api/internal-signal.ts';
import type { SignalCore } from '../../../schemas/events/events.ts';
import type { AuditSource, Region, RiskLevel } from '../../../schemas/vocabulary.ts';
import { ApiError, invalid, unavailable } from '../errors.ts';
import type { ApiParts, RecordParts } from '../parts.ts';
import type { Answer, SentBody } from '../plugins/route.ts';
import type { AdmittedCounts } from './admitted-counts.ts';
import { existingCustomer } from './customers.ts';
import { draftInternalSignal } from './draft-internal-signal.ts';
import { twice } from './envelopes.ts';
import { idempotently } from './idempotently.ts';
import { isId, newSeed, type Seed } from './ids.ts';
import { mayBeHidden, timeOf } from './list-lag.ts';
import { type SignalClaim, signalClaims } from './signal-claims.ts';
import { isCertain } from './submit-audit.ts';

export type InternalSignalParts = RecordParts &
  Pick<ApiParts, 'warehouse' | 'log' | 'codec' | 'keyring' | 'randomBytes' | 'crashPoint'> & {
    readonly admitted: AdmittedCounts;
  };

/** Answered with what stands under the audit id; `isFirst`: this request made it so. */
interface Standing {
  readonly core: SignalCore;
  readonly isFirst: boolean;
}

const MAX_AGE_YEARS = 7;

/**
 * Takes in a signal that the platform made itself. It goes through the log like every signal, and one audit id has one
 * body: a repeat appends the very entry that was made first, unless it is known to be in the log.
 */
export function submitInternalSignal(
  parts: InternalSignalParts,
  signal: NewInternalSignal,
  sent: SentBody,
): Promise<Answer> {
  return idempotently(parts, SYSTEM_SCOPE, sent.idempotency(), newSeed(parts), async (seed) => {
    const { active } = await existingCustomer(parts.directory, signal.customerId);
    if (!active) throw erased();
    const { core, isFirst } = await stand(parts, signal, sent.canonical(), seed).catch((error: unknown) => {
      throw error instanceof KeyDestroyed ? erased() : error;
    });
    const statusCode = isFirst ? 201 : 200;
    return { statusCode, shown: twice(shownSignal(signal.customerId, core)) };
  });
}

const erased = (): ApiError => new ApiError('CUSTOMER_ERASED');

async function stand(
  parts: InternalSignalParts,
  signal: NewInternalSignal,
  canonical: string,
  seed: Seed,
): Promise<Standing> {
  const { customerId } = signal;
  const auditId = signal.auditId?.toLowerCase() ?? seed.id;
  const digest = await digestOf(parts, customerId, canonical);
  const claims = signalClaims(parts.state.expiring);
  const known = await claims.get({ customerId, auditId });
  if (known !== null) return repeated(parts, known, digest);
  if (signal.auditId !== undefined) {
    const stored = await storedSignal(parts, customerId, auditId, digest);
    if (stored !== null) return stored;
  }
  const claim = await makeClaim(parts, signal, auditId, digest, seed);
  if (await claims.add({ customerId, auditId }, claim)) return append(parts, claim);
  const winner = await claims.get({ customerId, auditId });
  if (winner === null) throw new Error('a claim vanished right after it was made');
  return repeated(parts, winner, digest);
}

/**
 * Keyed, because the body holds the reasoning before it was masked: from a plain digest, which readers of the signal
 * get to see, a short value could be guessed.
 */
async function digestOf(parts: InternalSignalParts, customerId: string, canonical: string): Promise<string> {
  const key = await parts.keyring.hashKey(customerId);
  return createHmac('sha256', key).update('cas/internal-signal/v1\0').update(canonical).digest('hex');
}

async function repeated(parts: InternalSignalParts, claim: SignalClaim, digest: string): Promise<Standing> {
  if (claim.digest !== digest) throw usedOtherwise();
  const audit = auditOf(claim);
  const isDone = await signalClaims(parts.state.expiring).isAppended(audit);
  return isDone ? { core: claim.core, isFirst: false } : append(parts, claim);
}

const usedOtherwise = (): ApiError =>
  new ApiError('CONFLICT', { message: 'Another signal was sent under this auditId; use a new one' });
const ingested = (): ApiError =>
  new ApiError('CONFLICT', { message: 'This auditId belongs to an ingested audit; use a new one' });

const auditOf = ({ core, record }: SignalClaim) => ({ customerId: record.key, auditId: core.auditId });

/** What the service knows of an audit id without a claim: null when it is new. The mark is read before the list. */
async function storedSignal(
  parts: InternalSignalParts,
  customerId: string,
  auditId: string,
  digest: string,
): Promise<Standing | null> {
  if ((await parts.state.admission.pendingMark(customerId, auditId)) !== null) {
    // A request beside this one may have claimed the id in between; the claim is older than its mark.
    const claim = await signalClaims(parts.state.expiring).get({ customerId, auditId });
    if (claim === null) throw ingested();
    return repeated(parts, claim, digest);
  }
  const row = await findAudit(parts.warehouse, customerId, auditId, null);
  if (row === null) {
    const outlivedMark = (timeOf(auditId) ?? Number.POSITIVE_INFINITY) < parts.now() - PENDING_MARK_MS / 2;
    if (outlivedMark && (await mayBeHidden(parts, auditId)))
      throw unavailable(new Error('the audit list lags'));
    return null;
  }
  if (row.source !== 'INTERNAL') throw ingested();
  const signal = await findSignal(parts.warehouse, customerId, auditId);
  // Of an erased signal nothing is left to compare with.
  if (signal === null || signal.payloadDigest !== digest) throw usedOtherwise();
  return { core: servedCore(signal), isFirst: false };
}

async function makeClaim(
  parts: InternalSignalParts,
  signal: NewInternalSignal,
  auditId: string,
  digest: string,
  seed: Seed,
): Promise<SignalClaim> {
  const createdAt = createdAtOf(signal.createdAt, seed.at);
  const sandbox = await namedSandbox(parts, signal);
  const facts = { auditId, acceptedAt: seed.at, createdAt, digest };
  const { core, draft, headers } = draftInternalSignal(signal, sandbox, facts, parts.randomBytes);
  const seal: typeof parts.keyring.seal = (...sealed) => parts.keyring.seal(...sealed);
  const record = await ledgerRecord(draft, { seal, codec: parts.codec }, { ...headers });
  return { digest, core, record };
}

function createdAtOf(text: string | undefined, acceptedAt: string): string {
  if (text === undefined) return acceptedAt;
  const at = parseDate(text, false);
  if (at === null) throw invalid('createdAt', 'createdAt is an ISO 8601 timestamp');
  const earliest = new Date(acceptedAt);
  earliest.setUTCFullYear(earliest.getUTCFullYear() - MAX_AGE_YEARS);
  if (at > Date.parse(acceptedAt)) throw invalid('createdAt', 'createdAt lies in the future');
  if (at < earliest.getTime())
    throw invalid('createdAt', `createdAt is more than ${MAX_AGE_YEARS} years ago`);
  return new Date(at).toISOString();
}

/** An inactive sandbox may be named: it is switched off for ingests and scans, and this is neither. */
async function namedSandbox(
  { directory }: InternalSignalParts,
  { customerId, sandboxId, sandboxSlug }: NewInternalSignal,
): Promise<SandboxRecord> {
  const id = sandboxId ?? (await directory.sandboxIdOfSlug(customerId, normaliseSlug(sandboxSlug ?? '')));
  const sandbox = id !== null && isId(id) ? await directory.sandboxById(customerId, id) : null;
  if (sandbox !== null && sandbox.deletedAt === null) return sandbox;
  throw sandboxId === undefined
    ? new ApiError('SANDBOX_NOT_FOUND')
    : new ApiError('NOT_FOUND', { message: 'The customer has no sandbox with this sandboxId' });
}

/** Resolves when the entry is durable. The mark makes the audit visible from then on, and goes when it is stored. */
async function append(parts: InternalSignalParts, claim: SignalClaim): Promise<Standing> {
  const { core, record } = claim;
  const audit = auditOf(claim);
  const { sandboxId, sandboxSlug, provider, model } = core;
  await parts.state.admission.setPendingMark(audit.customerId, audit.auditId, {
    acceptedAt: Date.parse(core.acceptedAt),
    sandboxId,
    sandboxSlug,
    provider,
    model,
    source: 'INTERNAL',
  });
  await parts.log.append([record]).catch(async (error: unknown) => {
    // Nothing is on its way, so nothing must look as if it were.
    if (isCertain(error)) await parts.state.admission.removePendingMarks([audit]).catch(() => undefined);
    throw error;
  });
  parts.crashPoint?.('api.signal-appended');
  const isFirst = await signalClaims(parts.state.expiring).noteAppended(audit);
  if (isFirst) parts.admitted.add(audit.customerId, Date.parse(core.acceptedAt), 1);
  return { core, isFirst };
}

const shownSignal = (customerId: string, core: SignalCore): AcceptedSignal => ({
  ...core,
  id: core.auditId,
  customerId,
  riskLevel: core.riskLevel as RiskLevel,
  region: core.region as Region,
  source: core.source as AuditSource,
  violations: [...core.violations],
  regulation: [...core.regulation],
});
