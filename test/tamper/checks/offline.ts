import { checkErasure, checkInclusion, checkNote } from '#core/evidence/checkpoint/check-proof.ts';
import type { NoteKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import { checkpoint, consistencyProof, inclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { erasureReceipt } from '#schemas/api/evidence/retention/erasures.ts';
import { type Check, SOMETHING } from './check.ts';
import { keysOf } from './keys.ts';

/** Rejects, or returns false, when the response is invalid. */
type Verify = (bytes: Buffer, keys: readonly NoteKey[]) => Promise<boolean>;

const dataOf = (bytes: Buffer): unknown => (JSON.parse(bytes.toString()) as { data: unknown }).data;

/** Verifiers of responses that `cas verify` accepts, by operation. */
const VERIFIERS: Readonly<Record<string, Verify>> = {
  'GET /evidence/hash-chain/checkpoint': async (bytes, keys) => {
    checkNote(checkpoint.parse(dataOf(bytes)).note, keys);
    return true;
  },
  'GET /evidence/hash-chain/proofs/inclusion': async (bytes, keys) => {
    checkInclusion(inclusionProof.parse(dataOf(bytes)), keys);
    return true;
  },
  'GET /evidence/hash-chain/proofs/consistency': async (bytes, keys) => {
    checkNote(consistencyProof.parse(dataOf(bytes)).checkpoint, keys);
    return true;
  },
  'GET /evidence/retention/erasures/:id': async (bytes, keys) => {
    const { signalId, receipt } = dataOf(bytes) as { signalId: string; receipt: unknown };
    checkErasure(erasureReceipt.parse(receipt), signalId, keys);
    return true;
  },
  'GET /evidence/packages/:id/download': async (bytes, keys) => {
    const read = async (from: number, to: number) => bytes.subarray(from, to);
    const { faults } = await verifyPackage({ size: bytes.length, read }, keys);
    return faults.length === 0;
  },
};

/** What a reader finds who saves the current responses and verifies them without the service. */
export const verifiedOffline: Check = async ({ world, before, after }) => {
  const keys = keysOf(world);
  for (const [operation, verify] of Object.entries(VERIFIERS)) {
    const { status, bytes } = after.get(operation)!;
    if (status !== 200 || bytes.equals(before.get(operation)!.bytes)) continue;
    if (!(await verify(bytes, keys).catch(() => false))) return SOMETHING;
  }
  return null;
};
