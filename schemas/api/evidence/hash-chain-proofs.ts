import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { LEDGER_KINDS } from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { displayName, hash, isoTime, queryInteger, uuid } from '../fields/fields.ts';

/** A tree of 2^53 entries has no longer path. */
const MAX_PATH = 128;
export const path = z.array(hash).max(MAX_PATH);

export const leaf = z
  .object({
    v: z.int(),
    kind: z.enum(LEDGER_KINDS),
    customerId: uuid,
    index: z.int(),
    id: z.string(),
    at: isoTime,
    dataHash: hash,
  })
  .meta({ description: 'what is hashed for the tree, as canonical JSON behind a zero byte' });

const note = z.string().meta({
  description:
    'signed note of the checkpoint that this is proved against: origin, number of entries, root, head of the chain, and the signature',
});

export const checkpoint = z
  .object({
    origin: z.string().meta({ description: 'names the service and the customer' }),
    treeSize: z.int().meta({ description: 'number of entries' }),
    rootHash: hash,
    chainHead: hash,
    note: z.string().meta({ description: 'the signed text; everything else here stands in it too' }),
    keyId: z.string(),
    issuedAt: isoTime,
  })
  .meta({ id: 'Checkpoint' });
export type Checkpoint = z.output<typeof checkpoint>;

export const inclusionProof = z
  .object({
    leafIndex: z.int(),
    treeSize: z.int(),
    leaf,
    coreHash: hash,
    detailHash: hash,
    coreSalt: hash.nullable().meta({ description: 'null once the signal is erased' }),
    detailSalt: hash.nullable().meta({ description: 'null once the detail is erased' }),
    leafHash: hash,
    rootHash: hash,
    hashes: path.meta({ description: 'the path from the leaf to the root' }),
    checkpoint: note,
  })
  .meta({ id: 'InclusionProof' });
export type InclusionProof = z.output<typeof inclusionProof>;

export const consistencyProof = z
  .object({
    fromSize: z.int(),
    toSize: z.int(),
    fromRoot: hash,
    toRoot: hash,
    hashes: path,
    checkpoint: note,
  })
  .meta({ id: 'ConsistencyProof' });
export type ConsistencyProof = z.output<typeof consistencyProof>;

/** A number of entries in a query: at most 15 digits. */
const size = (name: string) => queryInteger(name, 0, 15);

export const inclusionQuery = { auditId: uuid.meta({ description: 'audit whose signal is to be proved' }) };
export const consistencyQuery = {
  fromSize: size('fromSize').meta({ description: 'number of entries of the older checkpoint' }),
  toSize: size('toSize')
    .optional()
    .meta({ description: 'number of entries of the newer one; default: all that are stored' }),
};

export const getCheckpoint = defineRoute({
  ...endpoints.getCheckpoint,
  operationId: 'getCheckpoint',
  summary: 'Signed size, root and head of the ledger as it is stored now',
  description:
    'Keep it outside the service: a later ledger has to go on from it, and `/evidence/hash-chain/proofs/consistency` proves that it does. The note is a C2SP checkpoint; `/evidence/hash-chain/keys` lists the keys. 404 while the ledger is empty. 409 when the stored ledger does not go on from what was signed before: then nothing is signed.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: checkpoint }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

export const getInclusionProof = defineRoute({
  ...endpoints.getInclusionProof,
  operationId: 'getInclusionProof',
  summary: 'Proves that the signal of an audit is an entry of the signed ledger',
  description:
    'Hash `leaf`, walk up with `hashes`, and compare with the root in the note. `dataHash` comes from `coreHash` and `detailHash`, and these from the salts and the columns of the signal as `/dashboard/signals/:id` shows them; so the proof covers what is on the screen. An erased signal still has its proof, without salts.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  query: z.object(inclusionQuery),
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: inclusionProof }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

export const getConsistencyProof = defineRoute({
  ...endpoints.getConsistencyProof,
  operationId: 'getConsistencyProof',
  summary: 'Proves that the ledger of `toSize` entries begins with that of `fromSize` entries',
  description:
    'For two checkpoints that were kept: their sizes and roots. Without `toSize`: up to the newest entry.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  query: z.object(consistencyQuery),
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: consistencyProof }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

const acceptedRollback = z
  .object({
    customerId: uuid,
    epoch: z.int().meta({ description: 'stands in the notes from now on' }),
    lostSize: z.int().meta({ description: 'number of entries of the checkpoint that is given up' }),
    lostCheckpoint: z
      .string()
      .meta({ description: 'its signed note, which an entry of the ledger names for good' }),
    entryId: z.string(),
  })
  .meta({ id: 'AcceptedRollback' });
export type AcceptedRollback = z.output<typeof acceptedRollback>;

const newRollback = z.strictObject({
  reason: z.string().min(1).max(1_000),
  acceptedBy: displayName.default('operator'),
});
export type NewRollback = z.output<typeof newRollback>;

export const acceptRollback = defineRoute({
  ...endpoints.acceptRollback,
  operationId: 'acceptRollback',
  summary: 'Signs a ledger again that does not go on from its last checkpoint; there is no way back',
  description:
    'For a warehouse that was restored from an older backup, after `cas migrate --new-epoch`. Nothing is signed of such a ledger until then, and its verification says ROLLBACK. The note that is given up is named in an entry of the ledger, and every later note carries an epoch, so that nobody takes it for one that goes on from the lost one: whoever holds that one still sees the rollback.',
  tag: 'internal',
  auth: 'internal',
  params: z.object({ id: uuid.meta({ description: 'id of the customer' }) }),
  body: newRollback,
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: acceptedRollback }) },
  errors: ['NOT_FOUND', 'LEDGER_NOT_ROLLED_BACK'],
});
