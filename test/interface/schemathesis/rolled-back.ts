import path from 'node:path';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { documentSeals, sealedState } from '#platform/sealing/document-seals.ts';
import { loadMasterKey } from '#platform/sealing/master-key.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { checkpointRef, type SignedCheckpoint } from '#records/ledger/checkpoints.ts';

/** More entries than any customer of a run has. */
const SIGNED_SIZE = 1_000_000;

/**
 * Writes, while nothing runs, that more was signed for these customers than their ledgers have: each ledger is as one
 * that was restored from an old backup.
 */
export async function rollBack(dataDir: string, customerIds: readonly string[]): Promise<void> {
  const { state: folder, masterKey } = dataFolder(dataDir);
  const opened = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now });
  // As the service itself wrote it, for otherwise the start would be refused.
  const state = sealedState(opened, documentSeals(loadMasterKey(masterKey, { create: false })));
  const value: SignedCheckpoint = {
    size: SIGNED_SIZE,
    root: 'ab'.repeat(32),
    chainHead: 'cd'.repeat(32),
    epoch: 0,
    issuedAt: new Date().toISOString(),
  };
  for (const id of customerIds) await state.documents.write(id, [{ ...checkpointRef(id), value }]);
  await state.close();
}
