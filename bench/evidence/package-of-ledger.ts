import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { timeOf } from '#core/evidence/testing/sample-chain.ts';
import { builtFile } from '#platform/config/package-root.ts';
import { packagesInFolder } from '#platform/packages/folder.ts';
import { loadSigningKey } from '#platform/sealing/signing-key.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { noteOf } from '#records/ledger/checkpoints.ts';
import { treeHashes } from '#records/ledger/tree-hashes.ts';
import type { LedgerRow } from '#schemas/tables/tables.ts';
import { type BuildDependencies, buildPackage } from '#services/api/evidence/packages/build-package.ts';

/** Builds a package of all entries of a stored ledger, with its hash chain, and verifies it as the service does. */
export async function packageOfLedger(
  warehouse: Warehouse,
  { folder, last }: { readonly folder: string; readonly last: LedgerRow },
): Promise<{ readonly sizeBytes: number }> {
  const { customerId } = last;
  const size = last.index + 1;
  const state = await openEmbeddedState({ path: path.join(folder, `state-${customerId}`), now: Date.now });
  const dependencies: BuildDependencies = {
    warehouse,
    state,
    signingKey: loadSigningKey(path.join(folder, `${customerId}.pem`), { create: true }),
    settings: { ledgerOrigin: 'bench' },
    now: Date.now,
    randomBytes,
    verifyPage: readFileSync(builtFile('page/verify.html'), 'utf8'),
    packages: packagesInFolder({ folder: path.join(folder, 'packages'), leastFreeBytes: null }),
  };
  const [root] = await treeHashes(warehouse, customerId, [{ from: 0, to: size }]);
  const checkpoint = { size, root: root!.toString('hex'), chainHead: last.hash, epoch: 0, issuedAt: last.at };
  try {
    const record = {
      id: 'measured',
      framework: 'GDPR',
      startDate: timeOf(0),
      endDate: last.at,
      includeIncidents: true,
      includeHashChain: true,
      basis: { ...checkpoint, note: noteOf(dependencies, customerId, checkpoint) },
      status: 'GENERATING',
      progress: 0,
      createdAt: last.at,
      createdByKeyId: 'bench',
      expiresAt: last.at,
      attempts: 0,
      failure: null,
      file: null,
    } as const;
    const options = {
      maxBytes: Number.MAX_SAFE_INTEGER,
      stop: new AbortController().signal,
      onProgress: () => undefined,
    };
    return await buildPackage(dependencies, customerId, record, options);
  } finally {
    await state.close();
  }
}
