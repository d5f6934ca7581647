import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { defineRoute } from '../contract.ts';
import { hash, isoTime, queryInteger, uuid } from '../fields/fields.ts';

const CHAIN_FAULTS = [
  'MODIFIED',
  'MISSING',
  'EXTRA',
  'REORDERED',
  'ROOT_MISMATCH',
  'CHAIN_LINK',
  'SIGNATURE',
  'ROLLBACK',
  'NOT_ERASED',
  'DERIVED_CHANGED',
  'DAMAGED',
  'DOCUMENT_CHANGED',
] as const;

export const chainFault = z.object({
  index: z
    .int()
    .meta({ description: 'index of the entry; documents without an entry are listed after the last one' }),
  id: z.string().nullable().meta({
    description: 'id of the entry; null: missing. For a document without an entry: its kind and id',
  }),
  reason: z.enum(CHAIN_FAULTS),
  toIndex: z
    .int()
    .optional()
    .meta({ description: 'for DAMAGED: last index of the unreadable range; absent: only index' }),
});
export type ChainFault = z.output<typeof chainFault>;

/** Properties of derived rows that no verification compares. */
const NOT_DERIVED: readonly string[] = [
  'Findings of the stream that were changed in their table or are gone from it: signals that were erased since keep them from being folded again',
  'What the audit list says of an audit that has no signal: one that waits, failed or was erased after it failed',
  'Of an audit that has a signal: the steps between its acceptance and its end; and after the signal was erased, its sandbox, times, attempts and duration',
];

/** What a verification without a signed checkpoint cannot detect. */
export const NOT_SIGNED: readonly string[] = [
  'Entries truncated from the end of the chain: the rest still verifies. Compare treeSize with an earlier response',
  'A chain recomputed from some entry on: its hashes match. Compare chainHead with an earlier response of the same treeSize',
  ...NOT_DERIVED,
];

/** What a verification against the last signed checkpoint cannot detect. */
export const NOT_COVERED: readonly string[] = [
  'Entries newer than the last signed checkpoint, truncated from the end',
  'A change by an attacker who can write to both the tables and the state, which holds that checkpoint. Save checkpoints outside the service, and request a consistency proof between them from /evidence/hash-chain/proofs/consistency',
  ...NOT_DERIVED,
];

/** What no comparison of the customer's state records can detect. */
export const UNSEALED_CONTENT: readonly string[] = [
  'A record without an entry in the ledger (a user, a session, the customer with its plan, a package, a run) that was removed, or put back as the service wrote it earlier',
  'What changes with each request and has no seal: when a key or a session was last used, what is counted against a quota or a rate, remembered answers, and marks of audits in progress',
];

const VERIFICATION_MODES = ['full', 'incremental', 'range'] as const;

const signingKeyStatus = z
  .object({
    keyId: z.string(),
    since: isoTime.nullable().meta({ description: 'null: the key is missing from the list of signing keys' }),
    replaced: z.string().nullable().meta({ description: 'id of the previous key; null: none' }),
    announced: z.boolean().meta({
      description:
        'false: the previous key did not sign the replacement, so the key file may have been swapped. Check with the operator',
    }),
    listIntact: z.boolean().meta({
      description: 'false: the current key did not sign this list of signing keys',
    }),
  })
  .meta({ id: 'SigningKeyStatus' });
export type SigningKeyStatus = z.output<typeof signingKeyStatus>;

export const verification = z
  .object({
    valid: z.boolean(),
    status: z.enum(['VALID', 'INVALID', 'EMPTY']),
    mode: z.enum(VERIFICATION_MODES),
    treeSize: z.int(),
    rootHash: hash.nullable(),
    chainHead: hash.nullable(),
    verifiedFrom: z.int().nullable(),
    verifiedTo: z.int().nullable(),
    checkedEntries: z.int(),
    checkedDocuments: z.int().meta({
      description:
        'number of state records compared with their ledger entries and with what the service wrote, in any mode',
    }),
    erasedSignals: z.int(),
    coverage: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'share of entries hashed again in the last 24 hours' }),
    brokenAt: chainFault.nullable(),
    errors: z.array(chainFault),
    notCovered: z.array(z.string()).meta({
      description:
        'what this verification cannot detect, even if VALID; empty if a signed checkpoint covers that too',
    }),
    checkpoint: z
      .string()
      .nullable()
      .meta({ description: 'newest signed checkpoint of the ledger; null: none yet' }),
    signingKey: signingKeyStatus.meta({
      description: 'current signing key, and whether it replaced another',
    }),
    lastFullVerificationAt: isoTime.nullable(),
    durationMs: z.number(),
  })
  .meta({ id: 'Verification' });
export type Verification = z.output<typeof verification>;

export const verificationJob = z
  .object({
    id: uuid,
    mode: z.enum(VERIFICATION_MODES),
    status: z.enum(['RUNNING', 'COMPLETED', 'FAILED']),
    startedAt: isoTime,
    updatedAt: isoTime,
    checkedEntries: z.int(),
    totalEntries: z.int(),
    progress: z.number().min(0).max(1).meta({ description: 'share of entries verified so far' }),
    result: verification.nullable().meta({ description: 'null until completed' }),
    failure: z.string().nullable().meta({ description: 'why there is no result; start it again' }),
  })
  .meta({ id: 'VerificationJob' });
export type VerificationJob = z.output<typeof verificationJob>;

export const signingKey = z
  .object({
    keyId: z.string(),
    name: z.string(),
    algorithm: z.literal('Ed25519'),
    publicKey: z.string().meta({ description: 'base64 of the 32 raw bytes' }),
    vkey: z.string().meta({ description: 'verifier key of a signed note' }),
    validFrom: isoTime,
    validTo: isoTime.nullable(),
    announced: z.boolean().meta({
      description: 'whether the previous key signed the replacement; true for the first key',
    }),
  })
  .meta({ id: 'SigningKey' });
export type SigningKeyRecord = z.output<typeof signingKey>;

const index = () => queryInteger(0, 15).optional();

export const verificationQuery = {
  mode: z
    .enum(VERIFICATION_MODES)
    .optional()
    .meta({ description: 'default: full up to 200,000 entries, else incremental' }),
  fromIndex: index().meta({ description: 'for mode=range: first entry; default: 0' }),
  toIndex: index().meta({ description: 'for mode=range: last entry; default: the newest' }),
  job: z.enum(['true', 'false']).default('false').meta({ description: 'true: always run as a job' }),
};

export const verifyHashChain = defineRoute({
  ...endpoints.verifyHashChain,
  operationId: 'verifyHashChain',
  summary: 'Verify the ledger',
  description: [
    'Hashes stored entries again and compares them with the hash chain, the tree and the last signed checkpoint. The status is 200 even if verification fails: check `valid`, and `errors` for what was changed, is missing or out of order.',
    'Modes:',
    '- `full`: all entries (default up to 200,000)\n- `incremental`: entries since the last verification, plus about 1,000 random older ones\n- `range`: entries from `fromIndex` to `toIndex`, in blocks of 256',
    'Ledgers above 1,000,000 entries, and any with `job=true`, are verified by a job: the response is 202, and `/evidence/hash-chain/verifications/{id}` returns progress and result.',
    'Reasons in `errors`:',
    '- `ROLLBACK`: the ledger does not extend its last checkpoint, because it was truncated or recomputed.\n- `NOT_ERASED`: erased content has reappeared. The service erases it again within a day.\n- `DOCUMENT_CHANGED`: a sandbox, key, policy, incident, auditor, hold or user was changed outside the service.\n- `DAMAGED`: entries from `index` to `toIndex` cannot be read. The others are verified.\n- `DERIVED_CHANGED`: a row derived from an entry, such as one of the audit list, does not match it.',
    '`coverage` is the share of entries hashed again within a day, including checks in the background. `notCovered` lists what verification cannot detect; keep `checkpoint` outside the service for that reason. `signingKey` shows since when the current key is in use, and whether the previous key announced it.',
  ].join('\n\n'),
  tag: 'Ledger',
  auth: 'key',
  costly: 'verification',
  query: z.object(verificationQuery),
  successStatus: 200,
  responses: {
    200: z.object({ success: z.literal(true), data: verification }),
    202: z.object({ success: z.literal(true), data: verificationJob }),
  },
  errors: [],
});

export const getVerification = defineRoute({
  ...endpoints.getVerification,
  operationId: 'getVerification',
  summary: 'Get a verification job',
  description:
    'Returns progress and result. The last five jobs are kept. If its process stopped, a job becomes FAILED within a minute: start a new verification.',
  tag: 'Ledger',
  auth: 'key',
  params: z.object({ id: uuid.meta({ description: 'id of the job' }) }),
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: verificationJob }) },
  errors: ['NOT_FOUND'],
});

export const listSigningKeys = defineRoute({
  ...endpoints.listSigningKeys,
  operationId: 'listSigningKeys',
  summary: 'List signing keys',
  description:
    'Public keys for receipts, proofs and checkpoints, oldest first; the last one is in use. Save `vkey`: `cas verify` and `cas watch` use it. `receipt.inclusion` leads to the root that a receipt signs.',
  tag: 'Ledger',
  auth: 'key',
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: z.array(signingKey) }) },
  errors: [],
});
