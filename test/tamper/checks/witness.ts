import { checkConsistency, checkNote, contradiction } from '#core/evidence/checkpoint/check-proof.ts';
import { checkpoint, consistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { type Check, SOMETHING } from './check.ts';
import { keysOf } from './keys.ts';

/** As `cas watch` looks once, with a checkpoint of earlier in its file. */
export const witnessed: Check = async ({ world }) => {
  const ask = async (path: string): Promise<unknown> => {
    const url = `/evidence/hash-chain/${path}`;
    const { statusCode, body } = await world.harness.app.inject({ url, headers: world.headers.key });
    const { data, code } = JSON.parse(body) as { data?: unknown; code?: string };
    if (statusCode !== 200) throw new Error(String(code));
    return data;
  };
  try {
    const held = checkNote(world.heldNote, keysOf(world));
    const { note } = checkpoint.parse(await ask('checkpoint'));
    const seen = checkNote(note, keysOf(world));
    if (contradiction(held, seen) !== null) return SOMETHING;
    const proof = await ask(`proofs/consistency?fromSize=${held.size}&toSize=${seen.size}`);
    checkConsistency(consistencyProof.parse(proof), held, seen);
    return null;
  } catch {
    return SOMETHING;
  }
};
