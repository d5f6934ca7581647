import { Refusal } from '#platform/flow/refusal.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import { entryAt } from '#platform/warehouse/queries/entries.ts';
import { foldedIndex } from '#platform/warehouse/queries/folded.ts';
import { ledgerEntry } from '#platform/warehouse/queries/ledger.ts';
import type { CheckpointDependencies } from '#records/ledger/checkpoints.ts';
import { pathToRoot } from '#records/ledger/path-to-root.ts';
import { erasureEntryId, signalErasure } from '#records/retention/signal-erasure.ts';
import type { ErasureReceipt, SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { ErasureReason } from '#schemas/vocabulary.ts';
import { remainsOf } from './remains.ts';

/** The erasure of a signal: from the ledger once folded, before that from the state. */
export async function readErasure(
  dependencies: CheckpointDependencies,
  customerId: string,
  signalId: string,
): Promise<SignalErasureShown> {
  if (!isId(signalId)) throw new Refusal('NOT_FOUND');
  // The state first: its document is removed only after the entry is folded.
  const started = await signalErasure(dependencies.state.documents, customerId, signalId);
  const folded = await foldedErasure(dependencies, customerId, signalId);
  if (folded !== null)
    return { ...folded, receipt: await erasureReceipt(dependencies, customerId, signalId) };
  if (started === null) throw new Refusal('NOT_FOUND');
  return pendingErasure(signalId, started.value);
}

/** An erasure that is decided but not folded. */
export const pendingErasure = (
  signalId: string,
  { at, reason }: { readonly at: string; readonly reason: ErasureReason },
): SignalErasureShown => ({
  signalId,
  deleted: false,
  status: 'PENDING',
  reason,
  erasedAt: at,
  receipt: null,
  remains: [],
});

/** A folded erasure without its receipt; null while it is not folded. */
export async function foldedErasure(
  { warehouse }: Pick<CheckpointDependencies, 'warehouse'>,
  customerId: string,
  signalId: string,
): Promise<SignalErasureShown | null> {
  const index = await foldedIndex(warehouse, customerId, erasureEntryId(signalId));
  const row = index === null ? null : await entryAt(warehouse, customerId, 'ERASURE', index);
  if (row?.core == null) return null;
  const { reason, ranges } = JSON.parse(row.core) as ErasureCore;
  return {
    signalId,
    deleted: true,
    status: 'ERASED',
    reason: reason as ErasureReason,
    erasedAt: row.at,
    receipt: null,
    remains: remainsOf(ranges.length === 0),
  };
}

/** The receipt of a folded erasure; null if no available checkpoint covers it. */
export async function erasureReceipt(
  dependencies: CheckpointDependencies,
  customerId: string,
  signalId: string,
): Promise<ErasureReceipt | null> {
  const entry = await ledgerEntry(dependencies.warehouse, customerId, erasureEntryId(signalId));
  if (entry === null) return null;
  const path = await pathToRoot(dependencies, customerId, entry).catch((error: unknown) => {
    const isForNow = isRetryable(error) || (error instanceof Refusal && error.code === 'UNAVAILABLE');
    if (!isForNow) throw error;
    return null;
  });
  return path === null ? null : { index: entry.index, ...path };
}
