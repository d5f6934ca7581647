import { z } from 'zod';
import { defineRoute } from './contract.ts';
import { hash, isoTime } from './fields/fields.ts';

const CHAIN_FAULTS = [
  'MODIFIED',
  'MISSING',
  'EXTRA',
  'REORDERED',
  'ROOT_MISMATCH',
  'CHAIN_LINK',
  'SIGNATURE',
  'ROLLBACK',
] as const;

const chainFault = z.object({
  index: z.int(),
  id: z.string().nullable(),
  reason: z.enum(CHAIN_FAULTS),
});
export type ChainFault = z.output<typeof chainFault>;

/** What a verification cannot find that knows of no signed checkpoint. */
export const NOT_SIGNED: readonly string[] = [
  'Entries that were cut off the end of the chain: what is left verifies. Compare treeSize with that of an earlier answer',
  'A chain that was computed anew from some entry on: its hashes fit. Compare chainHead with that of an earlier answer of the same treeSize',
];

/** What a verification against the last signed checkpoint cannot find. */
export const NOT_COVERED: readonly string[] = [
  'Entries that are newer than the last signed checkpoint and were cut off the end',
  'A change by somebody who can write to the tables and to the state, where that checkpoint is kept. Keep checkpoints outside the service, and ask /evidence/hash-chain/proofs/consistency for a proof from one to the next',
];

const verification = z
  .object({
    valid: z.boolean(),
    status: z.enum(['VALID', 'INVALID', 'EMPTY']),
    mode: z.literal('full'),
    treeSize: z.int(),
    rootHash: hash.nullable(),
    chainHead: hash.nullable(),
    verifiedFrom: z.int().nullable(),
    verifiedTo: z.int().nullable(),
    checkedEntries: z.int(),
    erasedSignals: z.int(),
    coverage: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'share of the entries re-hashed in the last 24 h' }),
    brokenAt: chainFault.nullable(),
    errors: z.array(chainFault),
    notCovered: z.array(z.string()).meta({
      description:
        'what this verification cannot find, also when it is VALID; empty when a signed checkpoint shows that too',
    }),
    checkpoint: z
      .string()
      .nullable()
      .meta({ description: 'newest signed note of size and root of the chain; null: there is none yet' }),
    lastFullVerificationAt: isoTime.nullable(),
    durationMs: z.number(),
  })
  .meta({ id: 'Verification' });
export type Verification = z.output<typeof verification>;

const signingKey = z
  .object({
    keyId: z.string(),
    name: z.string(),
    algorithm: z.literal('Ed25519'),
    publicKey: z.string().meta({ description: 'base64 of the 32 raw bytes' }),
    vkey: z.string().meta({ description: 'verifier key of a signed note' }),
    validFrom: isoTime,
    validTo: isoTime.nullable(),
  })
  .meta({ id: 'SigningKey' });
export type SigningKeyRecord = z.output<typeof signingKey>;

export const verifyHashChain = defineRoute({
  method: 'GET',
  path: '/evidence/hash-chain/verify',
  operationId: 'verifyHashChain',
  summary: 'Re-derives the hash chain from what is stored; 200 also when it is broken',
  description:
    'Every stored entry is hashed again and compared with the chain. `errors` names what was changed, is missing or out of order; `valid` says that there is nothing. A chain that does not go on from what was signed last, because its end was cut off or because it was computed anew with right hashes, is broken with the reason ROLLBACK. `notCovered` says what no verification can find by itself; so keep `checkpoint`, the signed note of the answer, outside the service.',
  tag: 'evidence',
  auth: 'key',
  costly: 'verification',
  query: z.object({ mode: z.literal('full').default('full') }),
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: verification }) },
  errors: [],
});

export const listSigningKeys = defineRoute({
  method: 'GET',
  path: '/evidence/hash-chain/keys',
  operationId: 'listSigningKeys',
  summary: 'Public keys that receipts and checkpoints are signed with',
  description: 'Check receipts with them: `receipt.inclusion` leads to the root that is signed.',
  tag: 'evidence',
  auth: 'key',
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: z.array(signingKey) }) },
  errors: [],
});
