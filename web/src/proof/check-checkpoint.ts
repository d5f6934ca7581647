import {
  checkConsistency,
  checkNote,
  contradiction,
  ProofFault,
} from '#core/evidence/checkpoint/check-proof.ts';
import type { Checkpoint } from '#core/evidence/checkpoint/checkpoint.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import type { ConsistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { ProofReport, ProofStep } from './check-signal.ts';

/** The content of a kept note, once a key is known to have signed it. */
export interface KeptCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly size: number;
}

const faultOf = (error: unknown): string =>
  error instanceof ProofFault ? error.message : 'it can’t be read';

/** The note as copied: pasting may have removed the last line break, or changed line breaks to another system's. */
export const noteOf = (pasted: string): string => `${pasted.replaceAll('\r\n', '\n').trim()}\n`;

/** Without the word that `cas watch` alerts on. */
const inWords = (fault: string | null): string | null =>
  fault === null ? null : fault.replace(/^(ROLLBACK|SPLIT VIEW): /, '');

const keysOf = (verifierKeys: readonly string[]) =>
  verifierKeys.map((key) => parseVerifierKey(key.trim())).filter((key) => key !== null);

/** The checkpoint in the kept note, or why it is invalid. */
export function readKept(pasted: string, verifierKeys: readonly string[]): KeptCheckpoint | string {
  try {
    const checkpoint = checkNote(noteOf(pasted), keysOf(verifierKeys));
    return { checkpoint, size: checkpoint.size };
  } catch (error) {
    return faultOf(error);
  }
}

/**
 * Checks that the current ledger extends that of a kept checkpoint, with the code of `cas watch`. `now`: the current
 * note.
 */
export function checkExtends(
  { checkpoint: kept }: KeptCheckpoint,
  now: string,
  proof: ConsistencyProof | null,
  verifierKeys: readonly string[],
): ProofReport {
  let newest: Checkpoint | null = null;
  const step = (what: string, check: () => string | null): ProofStep => {
    try {
      return { what, fault: check() };
    } catch (error) {
      return { what, fault: faultOf(error) };
    }
  };
  const steps = [
    step('Your checkpoint is signed', () => null),
    step('The latest checkpoint is signed', () => {
      newest = checkNote(now, keysOf(verifierKeys));
      return null;
    }),
    step('Both belong to the same ledger, and no entries were dropped', () =>
      newest === null ? 'there is no valid latest checkpoint' : inWords(contradiction(kept, newest)),
    ),
    step('The latest ledger starts with yours', () => {
      if (newest === null || proof === null) return 'the service provided no proof';
      checkConsistency(proof, kept, newest);
      return null;
    }),
  ];
  return { holds: steps.every(({ fault }) => fault === null), steps };
}
