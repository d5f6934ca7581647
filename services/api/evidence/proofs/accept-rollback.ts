import { CHAIN_START } from '#core/evidence/hashing.ts';
import { EMPTY_ROOT } from '#core/evidence/tree/node-hash.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { Announce, EntryMaker, LedgerEvent } from '#records/changes/ledger-events.ts';
import {
  type CheckpointDependencies,
  checkpointRef,
  currentCheckpoint,
  LedgerRolledBack,
  noteOf,
  type SignedCheckpoint,
  signedLast,
} from '#records/ledger/checkpoints.ts';
import type { AcceptedRollback, NewRollback } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { RESTORE_SHAPE } from '#schemas/ledger/evidence-event.v1.ts';
import type { ValuesOf } from '#schemas/ledger/field-types.ts';

interface RollbackDependencies extends CheckpointDependencies {
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  /** Epoch of the log. */
  readonly epoch: number;
}

interface Rollback {
  readonly epoch: number;
  readonly treeSize: number;
  readonly lostCheckpoint: string;
  readonly reason: string;
  readonly actor: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The operator's text and name are personal, so they are sealed. */
export function rollbackEvent(customerId: string, rollback: Rollback): LedgerEvent {
  const { epoch, treeSize, lostCheckpoint, reason, actor, at } = rollback;
  const core: ValuesOf<typeof RESTORE_SHAPE.core> = { type: 'RESTORE', epoch, treeSize, lostCheckpoint };
  return { kind: 'EVIDENCE_EVENT', id: `rollback:${epoch}`, customerId, at, core, detail: { actor, reason } };
}

/**
 * Gives up the last checkpoint, in one write with the ledger entry that names it. From then on the ledger is signed as
 * it is stored. The epoch grows each time, so the warehouse's row of the lost checkpoint no longer counts.
 */
export async function acceptRollback(
  dependencies: RollbackDependencies,
  customerId: string,
  { reason, acceptedBy }: NewRollback,
): Promise<AcceptedRollback> {
  const { state, now, makeEntry, announce } = dependencies;
  const lost = await rolledBack(dependencies, customerId);
  const { document } = await signedLast(dependencies, customerId);
  const epoch = Math.max(dependencies.epoch, lost.epoch + 1);
  const at = new Date(now()).toISOString();
  const lostCheckpoint = noteOf(dependencies, customerId, lost);
  const rollback = { epoch, treeSize: lost.size, lostCheckpoint, reason, actor: acceptedBy, at };
  const entry = await makeEntry(rollbackEvent(customerId, rollback));
  const value: SignedCheckpoint = {
    size: 0,
    root: EMPTY_ROOT.toString('hex'),
    chainHead: CHAIN_START.toString('hex'),
    epoch,
    issuedAt: at,
  };
  const ref = checkpointRef(customerId);
  const { ok } = await state.documents.write(customerId, [
    { ...ref, expectedVersion: document?.version ?? 0, value, entries: [entry] },
  ]);
  // Another request was faster.
  if (!ok) throw new Refusal('LEDGER_NOT_ROLLED_BACK');
  announce(ref);
  return { customerId, epoch, lostSize: lost.size, lostCheckpoint, entryId: entry.entryId };
}

/** The checkpoint that the stored ledger does not continue. */
async function rolledBack(
  dependencies: CheckpointDependencies,
  customerId: string,
): Promise<SignedCheckpoint> {
  try {
    await currentCheckpoint(dependencies, customerId);
  } catch (error) {
    if (error instanceof LedgerRolledBack) return error.signed;
    throw error;
  }
  throw new Refusal('LEDGER_NOT_ROLLED_BACK');
}
