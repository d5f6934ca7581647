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

/** Somebody outside, who holds the service's keys and the last checkpoint, and believes nothing else. */
export interface Witness {
  /** Takes the newest checkpoint, after it was proved to go on from the one that is held. */
  look(client: Client): Promise<Checkpoint>;
  /** Proves that the signal of an audit is an entry of the signed ledger; returns its index. */
  prove(client: Client, auditId: string): Promise<number>;
}

export async function createWitness(keysFrom: Client): Promise<Witness> {
  const { body } = await keysFrom.request('GET', `${CHAIN}/keys`);
  const keys = (body.data as unknown as { vkey: string }[]).map(({ vkey }) => parseVerifierKey(vkey)!);
  let held: Checkpoint | null = null;
  return {
    look: async (client) => {
      const answer = await client.request('GET', `${CHAIN}/checkpoint`);
      const seen = checkNote(checkpoint.parse(answer.body.data).note, keys);
      if (held !== null) {
        const fault = contradiction(held, seen);
        if (fault !== null) throw new Error(fault);
        const path = `${CHAIN}/proofs/consistency?fromSize=${held.size}&toSize=${seen.size}`;
        const proof = consistencyProof.parse((await client.request('GET', path)).body.data);
        checkConsistency(proof, held, seen);
      }
      held = seen;
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
