import { Refusal } from '#platform/flow/refusal.ts';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import { isRetryable, ServiceError } from '#platform/flow/service-error.ts';
import { Contended } from '#platform/state/change-document.ts';
import { foldedEntries } from '#platform/warehouse/queries/folded.ts';
import { replayMarks } from '#records/audits/replay-marks.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { removeErased } from '#records/correlations/remove-erased.ts';
import type { Directory } from '#records/directory.ts';
import { LedgerRolledBack } from '#records/ledger/checkpoints.ts';
import { expireErased } from '#records/packages/expire-erased.ts';
import {
  erasureEntryId,
  forgetSignalErasures,
  MAX_OPEN_ERASURES,
  SIGNAL_ERASURES,
  type SignalErasure,
  signalErasure,
  startSignalErasure,
} from '#records/retention/signal-erasure.ts';
import type { SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import type { ErasureReason } from '#schemas/vocabulary.ts';
import type { Caller } from '../../operations/caller.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { newSeed } from '../../operations/ids.ts';
import { type ErasableAudit, erasableAudit, erasedAlready } from './erasable-audit.ts';
import { erasureReceipt, foldedErasure, pendingErasure } from './read-erasure.ts';
import { refuseKept } from './refuse-kept.ts';
import { blankAudit, isServed } from './returned-signal.ts';

export type ErasureDependencies = ApiDependencies & {
  readonly makeEntry: EntryMaker;
  readonly directory: Directory;
};

interface Wanted {
  readonly signalId: string;
  readonly reason: ErasureReason;
  /** Maximum time to delay the answer until the erasure is folded, ms. */
  readonly waitMs: number;
  readonly gone: AbortSignal;
}

/** Attempts to write it; each may lose to another change of the customer. */
const ROUNDS = 10;
/** A replay that read an audit before its erasure has ended after this time. */
const REPLAY_MS = 10 * 60_000;

/** Erases a signal, or a failed audit without one. Complete with the receipt; otherwise still in progress. */
export async function eraseSignal(
  dependencies: ErasureDependencies,
  caller: Caller,
  wanted: Wanted,
): Promise<{ readonly isComplete: boolean; readonly data: SignalErasureShown }> {
  const { customerId } = caller;
  const started = await begin(dependencies, caller, wanted);
  dependencies.probe?.('api.erasure-noted');
  const shown = await folded(dependencies, customerId, wanted);
  if (shown === null) return { isComplete: false, data: pendingErasure(wanted.signalId, started) };
  dependencies.probe?.('api.erasure-folded');
  // If these fail, the package job catches up on the first, and every read of a run on the second.
  for (const follow of [expireErased, removeErased])
    await follow(dependencies, customerId).catch((error: unknown) => {
      if (!isRetryable(error)) throw error;
    });
  // Nothing can be signed, but the signal is erased.
  const receipt = await erasureReceipt(dependencies, customerId, wanted.signalId).catch((error: unknown) => {
    if (error instanceof LedgerRolledBack) return null;
    throw error;
  });
  if (receipt !== null) dependencies.probe?.('api.erasure-receipt');
  return { isComplete: receipt !== null, data: { ...shown, receipt } };
}

async function begin(
  dependencies: ErasureDependencies,
  { customerId, actor }: Caller,
  { signalId, reason }: Wanted,
): Promise<SignalErasure> {
  const { state, announce, makeEntry } = dependencies;
  const seed = newSeed(dependencies);
  await makeRoom(dependencies, customerId);
  for (let round = 0; round < ROUNDS; round += 1) {
    const undone = await undoneErasure(dependencies, customerId, signalId);
    if (undone !== null) return undone;
    const audit = await erasableAudit(dependencies, customerId, signalId);
    const unless = await refuseKept(dependencies, { customerId, signalId, reason }, audit);
    const outcome = await claimed(dependencies, audit, seed, () =>
      startSignalErasure(
        { documents: state.documents, makeEntry, announce },
        { ...audit, customerId, auditId: signalId, at: seed.at, reason, actor },
        unless,
      ),
    );
    if (outcome === 'BEGUN') return { at: seed.at, reason };
    if (outcome === 'ERASED') throw erasedAlready();
  }
  throw new Contended(SIGNAL_ERASURES);
}

/**
 * The folded erasure of an audit of which something is served again; null: not erased. 404 while the erasure holds or
 * waits to be folded.
 */
async function undoneErasure(
  dependencies: ErasureDependencies,
  customerId: string,
  auditId: string,
): Promise<SignalErasure | null> {
  const noted = await signalErasure(dependencies.state.documents, customerId, auditId);
  const done = await foldedErasure(dependencies, customerId, auditId);
  if (noted === null && done === null) return null;
  if (done === null || !(await isServed(dependencies, customerId, auditId))) throw erasedAlready();
  return { at: done.erasedAt, reason: done.reason };
}

/** Claims the audit's run during the write, so that it cannot be replayed meanwhile; an erased run stays claimed. */
async function claimed<Outcome extends string>(
  { state, now, probe }: ErasureDependencies,
  { failed }: ErasableAudit,
  { id: by, at }: { readonly id: string; readonly at: string },
  write: () => Promise<Outcome>,
): Promise<Outcome> {
  if (failed === null) return write();
  const marks = replayMarks(state.expiring, now);
  if ((await marks.claim(failed, { by, at })).by !== by) throw new Refusal('AUDIT_IN_FLIGHT');
  probe?.('api.erasure-claimed');
  const outcome = await write();
  if (outcome !== 'BEGUN') await marks.release(failed);
  return outcome;
}

/** Once there are many documents, removes those of erasures that the tables already show. */
async function makeRoom({ state, warehouse, now }: ErasureDependencies, customerId: string): Promise<void> {
  const ids = await state.documents.ids(customerId, SIGNAL_ERASURES);
  if (ids.length < MAX_OPEN_ERASURES) return;
  const folded = await foldedEntries(warehouse, customerId, ids.map(erasureEntryId));
  const stored = await Promise.all(ids.map((id) => signalErasure(state.documents, customerId, id)));
  const isOver = (erasure: SignalErasure | undefined): boolean =>
    erasure !== undefined && Math.abs(now() - Date.parse(erasure.at)) > REPLAY_MS;
  const over = ids.filter((id, n) => folded.has(erasureEntryId(id)) && isOver(stored[n]?.value));
  if (over.length === 0) throw new Refusal('ERASURES_UNDER_WAY', { retryAfterSeconds: 60 });
  await forgetSignalErasures(state.documents, customerId, over);
}

class NotFolded extends ServiceError {}
class TimeIsUp extends Error {}

/**
 * The erasure, once it is folded and nothing of it is served; null if the time is up or the client has gone. Content
 * that a newer row hid from the fold, or that came back later, is left to a sink.
 */
function folded(
  dependencies: ErasureDependencies,
  customerId: string,
  { signalId, waitMs, gone }: Wanted,
): Promise<SignalErasureShown | null> {
  let isRequested = false;
  return retryWithBackoff(
    {
      backoff: { firstMs: 50, maxMs: 400 },
      isRetryable: (error) => error instanceof NotFolded,
      signal: gone,
      limit: { timeoutMs: waitMs, clock: () => performance.now(), exhausted: () => new TimeIsUp() },
    },
    async () => {
      const shown = await foldedErasure(dependencies, customerId, signalId);
      if (shown === null) throw new NotFolded('not folded yet');
      if (await isServed(dependencies, customerId, signalId)) {
        if (!isRequested) await blankAudit(dependencies, customerId, signalId);
        isRequested = true;
        throw new NotFolded('not blanked yet');
      }
      return shown;
    },
  ).catch((error: unknown) => {
    // The erasure is decided, whatever happens to the warehouse now.
    if (error instanceof TimeIsUp || gone.aborted || isRetryable(error)) return null;
    throw error;
  });
}
