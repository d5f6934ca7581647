import { createHmac } from 'node:crypto';
import { servedCore } from '#core/evidence/served.ts';
import { ledgerRecord } from '#platform/codec/ledger-record.ts';
import { invalid, Refusal, unavailable } from '#platform/flow/refusal.ts';
import { KeyDestroyed } from '#platform/sealing/port.ts';
import { PENDING_MARK_MS } from '#platform/state/port.ts';
import { findAudit } from '#platform/warehouse/queries/audits.ts';
import { findSignal } from '#platform/warehouse/queries/signals.ts';
import type { AdmittedCounts } from '#records/audits/admitted-counts.ts';
import { mayBeHidden, timeOf } from '#records/audits/list-lag.ts';
import { type SignalClaim, signalClaims } from '#records/audits/signal-claims.ts';
import { normaliseSlug, type SandboxRecord } from '#records/documents/sandbox-record.ts';
import { parseDate } from '#schemas/api/fields/dates.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { AcceptedSignal, NewInternalSignal } from '#schemas/api/internal-signal.ts';
import type { SignalCore } from '#schemas/ledger/signal.v1.ts';
import type { AuditSource, Region, RiskLevel } from '#schemas/vocabulary.ts';
import type { ApiDependencies, RecordDependencies } from '../../operations/dependencies.ts';
import { existingCustomer } from '../../operations/existing-customer.ts';
import type { Seed } from '../../operations/ids.ts';
import type { Made, Once } from '../../operations/once.ts';
import { isCertain } from '../submit-audit.ts';
import { draftInternalSignal } from './draft-internal-signal.ts';

export type InternalSignalDependencies = RecordDependencies &
  Pick<ApiDependencies, 'warehouse' | 'log' | 'codec' | 'keyring' | 'randomBytes' | 'probe'> & {
    readonly admitted: AdmittedCounts;
  };

/** The signal stored under the audit id; `isFirst`: this request stored it. */
interface ClaimedSignal {
  readonly core: SignalCore;
  readonly isFirst: boolean;
}

const MAX_AGE_YEARS = 7;

/**
 * Accepts a platform signal. It goes through the log like every signal, and one audit id has one body: a repeat appends
 * exactly the entry that was made first, unless that is known to be in the log. `canonical`: its canonical JSON, as
 * sent.
 */
export function submitInternalSignal<Answered>(
  dependencies: InternalSignalDependencies,
  signal: NewInternalSignal,
  canonical: () => string,
  once: Once<Made<AcceptedSignal>, Answered>,
): Promise<Answered> {
  return once(async (seed) => {
    const { active } = await existingCustomer(dependencies.directory, signal.customerId);
    if (!active) throw erased();
    const { core, isFirst } = await stand(dependencies, signal, canonical(), seed).catch((error: unknown) => {
      throw error instanceof KeyDestroyed ? erased() : error;
    });
    return { data: shownSignal(signal.customerId, core), isNew: isFirst };
  });
}

const erased = (): Refusal => new Refusal('CUSTOMER_ERASED');

async function stand(
  dependencies: InternalSignalDependencies,
  signal: NewInternalSignal,
  canonical: string,
  seed: Seed,
): Promise<ClaimedSignal> {
  const { customerId } = signal;
  const auditId = signal.auditId?.toLowerCase() ?? seed.id;
  const digest = await digestOf(dependencies, customerId, canonical);
  const claims = signalClaims(dependencies.state.expiring);
  const known = await claims.get({ customerId, auditId });
  if (known !== null) return repeated(dependencies, known, digest);
  if (signal.auditId !== undefined) {
    const stored = await storedSignal(dependencies, customerId, auditId, digest);
    if (stored !== null) return stored;
  }
  const claim = await makeClaim(dependencies, signal, auditId, digest, seed);
  if (await claims.add({ customerId, auditId }, claim)) return append(dependencies, claim);
  const winner = await claims.get({ customerId, auditId });
  if (winner === null) throw new Error('a claim disappeared right after it was made');
  return repeated(dependencies, winner, digest);
}

/**
 * Keyed, because the body contains the reasoning before masking: readers of the signal see the digest, and could guess
 * a short value from an unkeyed one.
 */
async function digestOf(
  dependencies: InternalSignalDependencies,
  customerId: string,
  canonical: string,
): Promise<string> {
  const key = await dependencies.keyring.hashKey(customerId);
  return createHmac('sha256', key).update('cas/internal-signal/v1\0').update(canonical).digest('hex');
}

async function repeated(
  dependencies: InternalSignalDependencies,
  claim: SignalClaim,
  digest: string,
): Promise<ClaimedSignal> {
  if (claim.digest !== digest) throw usedOtherwise();
  const audit = auditOf(claim);
  // The claim outlives the signal by up to a day, and erased content is not served.
  const row = await findAudit(dependencies.warehouse, audit.customerId, audit.auditId, null);
  if (row?.erased)
    throw new Refusal('CONFLICT', { message: 'The signal with this auditId was erased. Use a new auditId.' });
  const isDone = await signalClaims(dependencies.state.expiring).isAppended(audit);
  return isDone ? { core: claim.core, isFirst: false } : append(dependencies, claim);
}

const usedOtherwise = (): Refusal =>
  new Refusal('CONFLICT', {
    message: 'A different signal was already sent with this auditId. Use a new auditId.',
  });
const ingested = (): Refusal =>
  new Refusal('CONFLICT', { message: 'This auditId belongs to an ingested audit. Use a new auditId.' });

const auditOf = ({ core, record }: SignalClaim) => ({ customerId: record.key, auditId: core.auditId });

/** What is known of an audit id without a claim; null: it is new. The mark is read before the list. */
async function storedSignal(
  dependencies: InternalSignalDependencies,
  customerId: string,
  auditId: string,
  digest: string,
): Promise<ClaimedSignal | null> {
  if ((await dependencies.state.admission.pendingMark(customerId, auditId)) !== null) {
    // A concurrent request may have claimed the id in between; the claim is older than its mark.
    const claim = await signalClaims(dependencies.state.expiring).get({ customerId, auditId });
    if (claim === null) throw ingested();
    return repeated(dependencies, claim, digest);
  }
  const row = await findAudit(dependencies.warehouse, customerId, auditId, null);
  if (row === null) {
    const outlivedMark =
      (timeOf(auditId) ?? Number.POSITIVE_INFINITY) < dependencies.now() - PENDING_MARK_MS / 2;
    if (outlivedMark && (await mayBeHidden(dependencies, auditId)))
      throw unavailable(new Error('the audit list is not up to date'));
    return null;
  }
  if (row.source !== 'INTERNAL') throw ingested();
  const signal = await findSignal(dependencies.warehouse, customerId, auditId);
  // An erased signal leaves nothing to compare with.
  if (signal === null || signal.payloadDigest !== digest) throw usedOtherwise();
  return { core: servedCore(signal), isFirst: false };
}

async function makeClaim(
  dependencies: InternalSignalDependencies,
  signal: NewInternalSignal,
  auditId: string,
  digest: string,
  seed: Seed,
): Promise<SignalClaim> {
  const createdAt = createdAtOf(signal.createdAt, seed.at);
  const sandbox = await namedSandbox(dependencies, signal);
  const facts = { auditId, acceptedAt: seed.at, createdAt, digest };
  const { core, draft, headers } = draftInternalSignal(signal, sandbox, facts, dependencies.randomBytes);
  const seal: typeof dependencies.keyring.seal = (...sealed) => dependencies.keyring.seal(...sealed);
  const record = await ledgerRecord(draft, { seal, codec: dependencies.codec }, { ...headers });
  return { digest, core, record };
}

function createdAtOf(text: string | undefined, acceptedAt: string): string {
  if (text === undefined) return acceptedAt;
  const at = parseDate(text, false);
  if (at === null) throw invalid('createdAt', 'Expected an ISO 8601 timestamp');
  const earliest = new Date(acceptedAt);
  earliest.setUTCFullYear(earliest.getUTCFullYear() - MAX_AGE_YEARS);
  if (at > Date.parse(acceptedAt)) throw invalid('createdAt', 'must not be in the future');
  if (at < earliest.getTime()) throw invalid('createdAt', `must not be more than ${MAX_AGE_YEARS} years ago`);
  return new Date(at).toISOString();
}

/** May be inactive: that applies only to ingests and scans. */
async function namedSandbox(
  { directory }: InternalSignalDependencies,
  { customerId, sandboxId, sandboxSlug }: NewInternalSignal,
): Promise<SandboxRecord> {
  const id = sandboxId ?? (await directory.sandboxIdOfSlug(customerId, normaliseSlug(sandboxSlug ?? '')));
  const sandbox = id !== null && isId(id) ? await directory.sandboxById(customerId, id) : null;
  if (sandbox !== null && sandbox.deletedAt === null) return sandbox;
  throw sandboxId === undefined
    ? new Refusal('SANDBOX_NOT_FOUND')
    : new Refusal('NOT_FOUND', { message: 'Sandbox not found for this customer. Check sandboxId.' });
}

/** Resolves when the entry is durable. The mark makes the audit visible until it is stored, and is then removed. */
async function append(dependencies: InternalSignalDependencies, claim: SignalClaim): Promise<ClaimedSignal> {
  const { core, record } = claim;
  const audit = auditOf(claim);
  const { sandboxId, sandboxSlug, provider, model } = core;
  await dependencies.state.admission.setPendingMark(audit.customerId, audit.auditId, {
    acceptedAt: Date.parse(core.acceptedAt),
    sandboxId,
    sandboxSlug,
    provider,
    model,
    source: 'INTERNAL',
  });
  await dependencies.log.append([record]).catch(async (error: unknown) => {
    // Nothing is in flight, so the mark is removed.
    if (isCertain(error))
      await dependencies.state.admission.removePendingMarks([audit]).catch(() => undefined);
    throw error;
  });
  dependencies.probe?.('api.signal-appended');
  const isFirst = await signalClaims(dependencies.state.expiring).noteAppended(audit);
  if (isFirst) dependencies.admitted.add(audit.customerId, Date.parse(core.acceptedAt), 1);
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
