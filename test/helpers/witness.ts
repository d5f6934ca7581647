import {
  checkConsistency,
  checkInclusion,
  checkNote,
  contradiction,
} from '#core/evidence/checkpoint/check-proof.ts';
import type { Checkpoint } from '#core/evidence/checkpoint/checkpoint.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { checkpoint, consistencyProof, inclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { Client } from '../../cli/command/client.ts';

const CHAIN = '/evidence/hash-chain';

/** An outside observer that has the service's keys and the last checkpoint and trusts nothing else. */
export interface Witness {
  /** Fetches the newest checkpoint and checks a proof that it extends the previous one. */
  update(client: Client): Promise<Checkpoint>;
  /** Proves that the signal of an audit is an entry of the signed ledger; returns its index. */
  prove(client: Client, auditId: string): Promise<number>;
}

export async function createWitness(keysFrom: Client): Promise<Witness> {
  const { body } = await keysFrom.request('GET', `${CHAIN}/keys`);
  const keys = (body.data as unknown as { vkey: string }[]).map(({ vkey }) => parseVerifierKey(vkey)!);
  let latest: Checkpoint | null = null;
  return {
    update: async (client) => {
      const answer = await client.request('GET', `${CHAIN}/checkpoint`);
      const seen = checkNote(checkpoint.parse(answer.body.data).note, keys);
      if (latest !== null) {
        const fault = contradiction(latest, seen);
        if (fault !== null) throw new Error(fault);
        const path = `${CHAIN}/proofs/consistency?fromSize=${latest.size}&toSize=${seen.size}`;
        const proof = consistencyProof.parse((await client.request('GET', path)).body.data);
        checkConsistency(proof, latest, seen);
      }
      latest = seen;
      return seen;
    },
    prove: async (client, auditId) => {
      const answer = await client.request('GET', `${CHAIN}/proofs/inclusion?auditId=${auditId}`);
      const proof = inclusionProof.parse(answer.body.data);
      checkInclusion(proof, keys);
      return proof.leafIndex;
    },
  };
}
