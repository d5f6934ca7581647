import { checkNote, ProofFault } from '#core/evidence/checkpoint/check-proof.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';

/** What is wrong with a signed checkpoint; null when one of the keys signed it. */
export function noteFault(note: string, verifierKeys: readonly string[]): string | null {
  try {
    checkNote(
      note,
      verifierKeys.map(parseVerifierKey).filter((key) => key !== null),
    );
    return null;
  } catch (error) {
    // Any unreadable response proves nothing.
    return error instanceof ProofFault ? error.message : 'it can’t be read';
  }
}
