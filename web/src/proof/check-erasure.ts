import { checkErasure, ProofFault } from '#core/evidence/checkpoint/check-proof.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import type { ErasureReceipt } from '#schemas/api/evidence/retention/erasures.ts';

/**
 * What is wrong with the receipt of a signal's erasure; null when it is an entry of the ledger signed by one of the
 * keys.
 */
export function erasureFault(
  receipt: ErasureReceipt,
  signalId: string,
  verifierKeys: readonly string[],
): string | null {
  try {
    const keys = verifierKeys.map(parseVerifierKey).filter((key) => key !== null);
    checkErasure(receipt, signalId, keys);
    return null;
  } catch (error) {
    // Any unreadable response proves nothing.
    return error instanceof ProofFault ? error.message : 'it can’t be read';
  }
}
