import { leafHash } from '#core/evidence/hashing.ts';
import { inclusionRanges } from '#core/evidence/tree/ranges.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { LedgerRow } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import {
  type CheckpointDependencies,
  currentCheckpoint,
  noteOf,
  type SignedCheckpoint,
} from './checkpoints.ts';
import { treeHashes } from './tree-hashes.ts';

const hex = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('hex'));

/** The checkpoint for a proof; 404 while the customer's ledger is empty. */
export async function checkpointOf(
  dependencies: CheckpointDependencies,
  customerId: string,
): Promise<SignedCheckpoint> {
  const checkpoint = await currentCheckpoint(dependencies, customerId);
  if (checkpoint === null) throw new Refusal('NOT_FOUND', { message: 'The ledger has no entries yet' });
  return checkpoint;
}

/** The path of an entry to the root of the latest checkpoint; null while no checkpoint covers it. */
export async function pathToRoot(dependencies: CheckpointDependencies, customerId: string, row: LedgerRow) {
  const { warehouse, treeHeights } = dependencies;
  const checkpoint = await checkpointOf(dependencies, customerId);
  // Stored, but not below the sink's positions yet: it will be in a moment.
  if (row.index >= checkpoint.size) return null;
  const hashes = await treeHashes(
    warehouse,
    customerId,
    inclusionRanges(row.index, checkpoint.size),
    treeHeights,
  );
  const leaf = {
    v: row.v,
    kind: row.kind as LedgerKind,
    customerId,
    index: row.index,
    id: row.id,
    at: row.at,
    dataHash: row.dataHash,
  };
  return {
    leaf,
    leafHash: leafHash(leaf).toString('hex'),
    treeSize: checkpoint.size,
    rootHash: checkpoint.root,
    hashes: hex(hashes),
    checkpoint: noteOf(dependencies, customerId, checkpoint),
  };
}
