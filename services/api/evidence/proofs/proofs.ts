import { consistencyRanges } from '#core/evidence/tree/ranges.ts';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { ledgerEntry } from '#platform/warehouse/queries/ledger.ts';
import { findSignal, hasSignal } from '#platform/warehouse/queries/signals.ts';
import { type AuditorView, isLimited, shownSandboxes } from '#records/auditors/auditor-view.ts';
import { type CheckpointDependencies, noteOf } from '#records/ledger/checkpoints.ts';
import { checkpointOf, pathToRoot } from '#records/ledger/path-to-root.ts';
import { treeHashes } from '#records/ledger/tree-hashes.ts';
import { storedErasures } from '#records/retention/stored-erasures.ts';
import type {
  Checkpoint,
  ConsistencyProof,
  InclusionProof,
} from '#schemas/api/evidence/hash-chain-proofs.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { LedgerRow } from '#schemas/tables/tables.ts';

const hex = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('hex'));

/** The newest checkpoint with its signed note. */
export async function shownCheckpoint(
  dependencies: CheckpointDependencies,
  customerId: string,
): Promise<Checkpoint> {
  const checkpoint = await checkpointOf(dependencies, customerId);
  return {
    origin: `${dependencies.settings.ledgerOrigin}/${customerId}`,
    treeSize: checkpoint.size,
    rootHash: checkpoint.root,
    chainHead: checkpoint.chainHead,
    note: noteOf(dependencies, customerId, checkpoint),
    keyId: dependencies.signingKey.keyId,
    issuedAt: checkpoint.issuedAt,
  };
}

/** Proves that the entry of an audit's signal, even an erased one, is in the tree of the newest checkpoint. */
export async function proveInclusion(
  dependencies: CheckpointDependencies,
  customerId: string,
  auditId: string,
  view: AuditorView | null = null,
): Promise<InclusionProof> {
  const { warehouse } = dependencies;
  const row = await ledgerEntry(warehouse, customerId, entryIdOf('SIGNAL', auditId));
  const isKnown = row !== null && (await isShown(warehouse, customerId, auditId, view));
  const path = isKnown ? await pathToRoot(dependencies, customerId, row) : null;
  if (row === null || path === null)
    throw new Refusal('NOT_FOUND', { message: 'This audit has no stored signal' });
  const { index, coreHash, detailHash } = row;
  return { leafIndex: index, coreHash, detailHash, ...(await saltsOf(warehouse, row)), ...path };
}

/** The salts of a signal, unless erased; the service does not return erased salts that were stored again. */
async function saltsOf(
  warehouse: Warehouse,
  { customerId, id, index }: LedgerRow,
): Promise<Pick<InclusionProof, 'coreSalt' | 'detailSalt'>> {
  const signal = await findSignal(warehouse, customerId, id);
  const erasures =
    signal === null ? null : await storedErasures(warehouse, customerId, { first: index, last: index });
  const erased = erasures?.demands('SIGNAL', index) ?? null;
  const isGone = signal === null || erased === 'ALL';
  return {
    coreSalt: isGone || signal.coreSalt === '' ? null : signal.coreSalt,
    detailSalt: isGone || erased !== null || signal.detailSalt === '' ? null : signal.detailSalt,
  };
}

/** Whether an auditor's token shows the signal. For an erased one, its sandbox is no longer known. */
async function isShown(
  warehouse: Warehouse,
  customerId: string,
  auditId: string,
  view: AuditorView | null,
): Promise<boolean> {
  if (view === null || !isLimited(view)) return true;
  const sandboxIds = await shownSandboxes(warehouse, customerId, view);
  if (sandboxIds?.length === 0) return false;
  return hasSignal(warehouse, { customerId, sandboxIds, ...view.period }, auditId);
}

/** Proves that the tree of `toSize` entries (default: that of the newest checkpoint) continues that of `fromSize`. */
export async function proveConsistency(
  dependencies: CheckpointDependencies,
  customerId: string,
  { fromSize, toSize: wanted }: { readonly fromSize: number; readonly toSize?: number | undefined },
): Promise<ConsistencyProof> {
  const checkpoint = await checkpointOf(dependencies, customerId);
  const toSize = wanted ?? checkpoint.size;
  if (toSize > checkpoint.size)
    throw invalid('toSize', `the ledger has ${checkpoint.size} entries; omit toSize to use all`);
  if (fromSize > toSize) throw invalid('fromSize', 'must not exceed toSize');
  const proof = consistencyRanges(fromSize, toSize);
  const ranges = [{ from: 0, to: fromSize }, { from: 0, to: toSize }, ...proof];
  const { warehouse, treeHeights } = dependencies;
  const [fromRoot, toRoot, ...hashes] = hex(await treeHashes(warehouse, customerId, ranges, treeHeights));
  return {
    fromSize,
    toSize,
    fromRoot: fromRoot!,
    toRoot: toRoot!,
    hashes,
    checkpoint: noteOf(dependencies, customerId, checkpoint),
  };
}
