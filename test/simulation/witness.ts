import { Refusal } from '#platform/flow/refusal.ts';
import { LedgerRolledBack } from '#records/ledger/checkpoints.ts';
import type { Checkpoint, ConsistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { proveConsistency, shownCheckpoint } from '#services/api/evidence/proofs/proofs.ts';
import type { ApiNode } from './nodes/api.ts';
import type { Promised } from './promises.ts';
import type { Random } from './random.ts';

interface WitnessDependencies {
  readonly promised: Promised;
  /** Monotonic ms. */
  readonly now: () => number;
}

/** A client that keeps every note and occasionally requests a proof that the ledger extends an older one. */
export async function askForCheckpoint(
  { promised, now }: WitnessDependencies,
  api: ApiNode['dependencies'],
  customerId: string,
  random: Random,
): Promise<Checkpoint | null> {
  try {
    const shown = await shownCheckpoint(api, customerId);
    promised.notes.push({ customerId, note: shown.note, atMs: now() });
    const own = promised.notes.filter((kept) => kept.customerId === customerId);
    const older = random.pick(own).note;
    const proof = await proveConsistency(api, customerId, { fromSize: sizeOf(older) });
    promised.proofs.push({ customerId, earlier: older, proof, atMs: now() });
    promised.notes.push({ customerId, note: proof.checkpoint, atMs: now() });
    return shown;
  } catch (error) {
    if (error instanceof LedgerRolledBack) promised.rollbacks.push({ customerId, atMs: now() });
    // A customer without an entry has no checkpoint.
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

const sizeOf = (note: string): ConsistencyProof['fromSize'] => Number(note.split('\n', 2)[1]);
