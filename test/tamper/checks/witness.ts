import { checkConsistency, checkNote, contradiction } from '#core/evidence/checkpoint/check-proof.ts';
import { checkpoint, consistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { type Check, SOMETHING } from './check.ts';
import { keysOf } from './keys.ts';

/** A single check of `cas watch`, with an earlier checkpoint in its file. */
export const witnessed: Check = async ({ world }) => {
  const ask = async (path: string): Promise<unknown> => {
    const url = `/evidence/hash-chain/${path}`;
    const { statusCode, body } = await world.harness.app.inject({ url, headers: world.headers.key });
    const { data, code } = JSON.parse(body) as { data?: unknown; code?: string };
    if (statusCode !== 200) throw new Error(String(code));
    return data;
  };
  try {
    const kept = checkNote(world.keptNote, keysOf(world));
    const { note } = checkpoint.parse(await ask('checkpoint'));
    const seen = checkNote(note, keysOf(world));
    if (contradiction(kept, seen) !== null) return SOMETHING;
    const proof = await ask(`proofs/consistency?fromSize=${kept.size}&toSize=${seen.size}`);
    checkConsistency(consistencyProof.parse(proof), kept, seen);
    return null;
  } catch {
    return SOMETHING;
  }
};
