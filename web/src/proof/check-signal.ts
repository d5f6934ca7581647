import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { checkInclusion, ProofFault } from '#core/evidence/checkpoint/check-proof.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { coreHashHex, detailHashHex } from '#core/evidence/hashing.ts';
import { confidencesOf, hashedCore, hashedDetail } from '#core/evidence/verify/verify-columns.ts';
import type { InclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { Signal } from '#schemas/api/signals.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';

export interface ProofStep {
  readonly what: string;
  /** Null: it is valid. */
  readonly fault: string | null;
}

export interface ProofReport {
  readonly holds: boolean;
  readonly steps: readonly ProofStep[];
}

const step = (what: string, check: () => string | null): ProofStep => {
  try {
    return { what, fault: check() };
  } catch (error) {
    // Any unreadable response proves nothing.
    return { what, fault: error instanceof ProofFault ? error.message : 'it can’t be read' };
  }
};

/** The columns in a response, in the shape that the verifier reads. */
const rowOf = (signal: Signal, v: number): SignalRow => ({ ...signal, v }) as unknown as SignalRow;

function coreFault(signal: Signal, { coreSalt, coreHash, leaf }: InclusionProof): string | null {
  if (coreSalt === null) return null;
  const core = canonicalJson(hashedCore(rowOf(signal, leaf.v)));
  return coreHashHex(coreSalt, core) === coreHash ? null : 'it doesn’t match';
}

function detailFault(signal: Signal, { detailSalt, detailHash, leaf }: InclusionProof): string | null {
  if (detailSalt === null) return null;
  const { detections, suppressed } = signal;
  const row = rowOf(signal, leaf.v);
  const confidences = confidencesOf(row);
  const detail = canonicalJson({
    ...hashedDetail(row),
    ...(confidences === null ? {} : { confidences }),
    detections,
    ...(leaf.v < 3 ? {} : { suppressed }),
  });
  return detailHashHex(detailSalt, detail) === detailHash ? null : 'it doesn’t match';
}

/**
 * Checks that a shown signal is an entry of the signed ledger, with the code of `cas verify`, which shares nothing with
 * the code that makes proofs. `verifierKeys`: from `/evidence/hash-chain/keys`, or from elsewhere.
 */
export function checkSignal(
  signal: Signal,
  proof: InclusionProof,
  verifierKeys: readonly string[],
): ProofReport {
  const steps = [
    step('The proof belongs to this signal', () =>
      proof.leaf.kind === 'SIGNAL' && proof.leaf.id === signal.auditId ? null : 'it belongs to another entry',
    ),
    step('Risk level and violations match the recorded hash', () => coreFault(signal, proof)),
    step('Explanation and matches match the recorded hash', () => detailFault(signal, proof)),
    step('The entry is part of the signed ledger', () => {
      const keys = verifierKeys.map(parseVerifierKey).filter((key) => key !== null);
      checkInclusion(proof, keys);
      return null;
    }),
  ];
  return { holds: steps.every(({ fault }) => fault === null), steps };
}
