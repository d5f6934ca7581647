import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { LEDGER_KINDS } from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { displayName, hash, isoTime, queryInteger, uuid } from '../fields/fields.ts';

/** Longer than any path in a tree of 2^53 entries. */
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
  .meta({ description: 'content of the leaf; hashed as a zero byte plus its canonical JSON' });

const note = z.string().meta({
  description:
    'signed note of the checkpoint that this is proved against: origin, number of entries, root, head of the chain, and the signature',
});

export const checkpoint = z
  .object({
    origin: z.string().meta({ description: 'identifies the service and the customer' }),
    treeSize: z.int().meta({ description: 'number of entries' }),
    rootHash: hash,
    chainHead: hash,
    note: z.string().meta({ description: 'the signed text, which contains all other fields' }),
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
    coreSalt: hash.nullable().meta({ description: 'null after the signal was erased' }),
    detailSalt: hash.nullable().meta({ description: 'null after the detail was erased' }),
    leafHash: hash,
    rootHash: hash,
    hashes: path.meta({ description: 'path from the leaf to the root' }),
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

/** A number of entries in a query, at most 15 digits. */
const size = () => queryInteger(0, 15);

export const inclusionQuery = { auditId: uuid.meta({ description: 'audit id of the signal' }) };
export const consistencyQuery = {
  fromSize: size().meta({ description: 'number of entries of the older checkpoint' }),
  toSize: size()
    .optional()
    .meta({ description: 'number of entries of the newer checkpoint; default: all stored entries' }),
};

export const getCheckpoint = defineRoute({
  ...endpoints.getCheckpoint,
  operationId: 'getCheckpoint',
  summary: 'Get a signed checkpoint',
  description:
    'Returns size, root and head of the ledger, signed as a C2SP checkpoint. Save it outside the service: `/evidence/hash-chain/proofs/consistency` proves that a later ledger extends it. 404 while the ledger is empty. 409 if the ledger does not extend its last checkpoint; then nothing is signed.',
  tag: 'Ledger',
  auth: 'key',
  costly: 'read',
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: checkpoint }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

export const getInclusionProof = defineRoute({
  ...endpoints.getInclusionProof,
  operationId: 'getInclusionProof',
  summary: 'Prove that a signal is in the ledger',
  description:
    'Hash `leaf`, combine it with `hashes`, and compare the result with the root in the note. `dataHash` is computed from `coreHash` and `detailHash`, and these from the salts and the columns that `/dashboard/signals/{id}` returns, so the proof covers what you see. Erased signals still have a proof, without salts.',
  tag: 'Ledger',
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
  summary: 'Prove that the ledger extends a checkpoint',
  description:
    'Proves that the ledger of `toSize` entries starts with the ledger of `fromSize` entries. Use the sizes and roots of two saved checkpoints. Without `toSize`, the proof ends at the newest entry.',
  tag: 'Ledger',
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
    epoch: z.int().meta({ description: 'epoch in all later checkpoints' }),
    lostSize: z.int().meta({ description: 'number of entries of the abandoned checkpoint' }),
    lostCheckpoint: z
      .string()
      .meta({ description: 'signed note of the abandoned checkpoint, named in the ledger' }),
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
  summary: 'Accept a ledger rollback',
  description:
    'Use this after the warehouse was restored from an older backup and `cas migrate --new-epoch` was run. Until then nothing is signed and verification reports ROLLBACK. The abandoned checkpoint is named in the ledger, and later checkpoints carry an epoch, so holders of the abandoned one can still detect the rollback. This cannot be undone.',
  tag: 'Ledger',
  auth: 'internal',
  params: z.object({ id: uuid.meta({ description: 'id of the customer' }) }),
  body: newRollback,
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: acceptedRollback }) },
  errors: ['NOT_FOUND', 'LEDGER_NOT_ROLLED_BACK'],
});
