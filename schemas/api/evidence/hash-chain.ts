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
  index: z.int().meta({ description: 'of the entry; a document without an entry stands after the last one' }),
  id: z.string().nullable().meta({
    description: 'of the entry; null: it is gone. Of a document without an entry: what it is, and its id',
  }),
  reason: z.enum(CHAIN_FAULTS),
  toIndex: z
    .int()
    .optional()
    .meta({ description: 'of DAMAGED: last index of the range that cannot be read; absent: index alone' }),
});
export type ChainFault = z.output<typeof chainFault>;

/** What of the rows that are made from entries and served by themselves no verification compares. */
const NOT_DERIVED: readonly string[] = [
  'Findings of the stream that were changed in their table or are gone from it: signals that were erased since keep them from being folded again',
  'What the audit list says of an audit that has no signal: one that waits, failed or was erased after it failed',
  'Of an audit that has a signal: the steps between its acceptance and its end; and after the signal was erased, its sandbox, times, attempts and duration',
];

/** What a verification cannot find that knows of no signed checkpoint. */
export const NOT_SIGNED: readonly string[] = [
  'Entries that were cut off the end of the chain: what is left verifies. Compare treeSize with that of an earlier answer',
  'A chain that was computed anew from some entry on: its hashes fit. Compare chainHead with that of an earlier answer of the same treeSize',
  ...NOT_DERIVED,
];

/** What a verification against the last signed checkpoint cannot find. */
export const NOT_COVERED: readonly string[] = [
  'Entries that are newer than the last signed checkpoint and were cut off the end',
  'A change by somebody who can write to the tables and to the state, where that checkpoint is kept. Keep checkpoints outside the service, and ask /evidence/hash-chain/proofs/consistency for a proof from one to the next',
  ...NOT_DERIVED,
];

/** What no comparison of the customer's records in the state finds. */
export const UNSEALED_CONTENT: readonly string[] = [
  'A record without an entry in the ledger (a user, a session, the customer with its plan, a package, a run) that was removed, or put back as the service wrote it earlier',
  'What changes with each request and has no seal: when a key or a session was last used, what is counted against a quota or a rate, remembered answers, and marks of audits in progress',
];

const VERIFICATION_MODES = ['full', 'incremental', 'range'] as const;

const signingKeyStatus = z
  .object({
    keyId: z.string(),
    since: isoTime.nullable().meta({ description: 'null: the list of signing keys lacks the key' }),
    replaced: z.string().nullable().meta({ description: 'id of the key before it; null: it is the first' }),
    announced: z.boolean().meta({
      description:
        'false: the key before it did not sign the replacement. Ask the operator whether it was meant; the key file may have been swapped',
    }),
    listIntact: z.boolean().meta({
      description: 'false: the list of signing keys is not the one that the key in use signed',
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
        'records of the customer in the state whose content was compared, whatever the mode: with their last entries, and with what the service wrote',
    }),
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
    signingKey: signingKeyStatus.meta({ description: 'the key that signs now, and whether it was replaced' }),
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
    progress: z.number().min(0).max(1).meta({ description: 'share of the entries that is verified' }),
    result: verification.nullable().meta({ description: 'null until it is completed' }),
    failure: z.string().nullable().meta({ description: 'why it came to no result; start it again' }),
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
      description: 'whether the key before it signed the replacement; true for the first one',
    }),
  })
  .meta({ id: 'SigningKey' });
export type SigningKeyRecord = z.output<typeof signingKey>;

const index = (name: string) => queryInteger(name, 0, 15).optional();

export const verificationQuery = {
  mode: z
    .enum(VERIFICATION_MODES)
    .optional()
    .meta({ description: 'default: full up to 200,000 entries, else incremental' }),
  fromIndex: index('fromIndex').meta({ description: 'of mode=range: first entry; default: 0' }),
  toIndex: index('toIndex').meta({ description: 'of mode=range: last entry; default: the last there is' }),
  job: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'true: as a job, however short the ledger is' }),
};

export const verifyHashChain = defineRoute({
  ...endpoints.verifyHashChain,
  operationId: 'verifyHashChain',
  summary: 'Re-derives the hash chain from what is stored; 200 also when it is broken',
  description:
    'Stored entries are hashed again and compared with the chain, the tree and the last signed checkpoint. `errors` names what was changed, is missing or out of order; `valid` says that there is nothing. A chain that does not go on from what was signed last, because its end was cut off or because it was computed anew with right hashes, is broken with the reason ROLLBACK. Content that an erasure took away, and that is there again, has the reason NOT_ERASED until the service has blanked it again, within a day. Records that are kept outside the ledger, such as sandboxes, keys, policies, incidents, auditors, holds and users, are compared with their last entries and with what the service wrote: one that somebody else changed has the reason DOCUMENT_CHANGED. Entries that cannot be read, because files of the warehouse are changed or missing, have the reason DAMAGED, from `index` to `toIndex`; the others are verified. A row that is made from an entry and served by itself, as those of the audit list are, and that is not what the entry says, has the reason DERIVED_CHANGED; rows that no entry explains are named after the last entry. `mode=full` takes all entries (the default up to 200,000), `incremental` those since the last verification and about a thousand random older ones, `range` those from `fromIndex` to `toIndex`, in whole blocks of 256. `coverage` says what share was re-hashed within a day, also by the service itself in the background. More than 1,000,000 entries, and all with `job=true`, are verified by a job: 202, and `/evidence/hash-chain/verifications/:id` has its progress and its result. `notCovered` says what no verification can find by itself; so keep `checkpoint`, the signed note of the answer, outside the service. `signingKey` says since when the key in use signs, and whether the key before it announced it.',
  tag: 'evidence',
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
  summary: 'Progress and result of a verification that runs as a job',
  description:
    'The last five jobs are kept. One whose process ended before it was done says FAILED within a minute: ask for the verification again.',
  tag: 'evidence',
  auth: 'key',
  params: z.object({ id: uuid.meta({ description: 'id of the job' }) }),
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: verificationJob }) },
  errors: ['NOT_FOUND'],
});

export const listSigningKeys = defineRoute({
  ...endpoints.listSigningKeys,
  operationId: 'listSigningKeys',
  summary: 'Public keys that receipts and checkpoints are signed with',
  description:
    'Check receipts, proofs and checkpoints with them, and keep `vkey`: `cas verify` and `cas watch` take it. Keys that were replaced stay in the list, the oldest first; the last one is in use. `receipt.inclusion` leads to the root that a receipt signs.',
  tag: 'evidence',
  auth: 'key',
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: z.array(signingKey) }) },
  errors: [],
});
