import path from 'node:path';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { documentSeals, sealedState } from '#platform/sealing/document-seals.ts';
import { loadMasterKey } from '#platform/sealing/master-key.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { checkpointRef, type SignedCheckpoint } from '#records/ledger/checkpoints.ts';

/** More entries than any customer has in a run. */
const SIGNED_SIZE = 1_000_000;

/**
 * While nothing runs, records a larger signed size for these customers than their ledgers have, as if each ledger had
 * been restored from an old backup.
 */
export async function rollBack(dataDir: string, customerIds: readonly string[]): Promise<void> {
  const { state: folder, masterKey } = dataFolder(dataDir);
  const opened = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now });
  // Sealed as the service does it; otherwise the start would be refused.
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
