import type { Verification } from '#schemas/api/hash-chain.ts';
import { NOT_COVERED, NOT_SIGNED } from '#schemas/api/hash-chain.ts';
import { ApiError } from '../../errors.ts';
import {
  type CheckpointDependencies,
  currentCheckpoint,
  LedgerRolledBack,
  noteOf,
  type SignedCheckpoint,
  signedLast,
} from './tree/checkpoints.ts';
import { type LedgerDependencies, verifyLedger } from './verify-ledger.ts';

export type VerifyDependencies = CheckpointDependencies & LedgerDependencies;

/**
 * Verifies the customer's ledger against the last signed checkpoint, by which a chain is recognised that was cut or
 * computed anew, and signs the newest one if nothing is wrong.
 */
export async function verifyChain(
  dependencies: VerifyDependencies,
  customerId: string,
  gone: AbortSignal,
): Promise<Verification> {
  const startedAt = performance.now();
  const { signed } = await signedLast(dependencies, customerId);
  const found = await verifyLedger(dependencies, customerId, signed, gone);
  return {
    ...found,
    mode: 'full',
    errors: [...found.errors],
    notCovered: [...(signed === null ? NOT_SIGNED : NOT_COVERED)],
    coverage: 1,
    checkpoint: await newestNote(dependencies, customerId, found.valid, signed),
    lastFullVerificationAt: new Date(dependencies.now()).toISOString(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

/** The newest note that can be had: of a broken chain, or while subtrees are missing, the one that was signed last. */
async function newestNote(
  dependencies: VerifyDependencies,
  customerId: string,
  isValid: boolean,
  signed: SignedCheckpoint | null,
): Promise<string | null> {
  const newest = isValid
    ? await currentCheckpoint(dependencies, customerId).catch((error: unknown) => {
        if (error instanceof ApiError || error instanceof LedgerRolledBack) return signed;
        throw error;
      })
    : signed;
  return newest === null ? null : noteOf(dependencies, customerId, newest);
}
