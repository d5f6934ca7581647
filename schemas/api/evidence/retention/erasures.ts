import { z } from 'zod';
import * as endpoints from '../../../endpoints.ts';
import { ERASURE_REASONS, REMAINS_IN } from '../../../vocabulary.ts';
import { defineRoute } from '../../contract.ts';
import { hash, idParams, isoTime, uuid } from '../../fields/fields.ts';
import { leaf, path } from '../hash-chain-proofs.ts';

export const erasureReceipt = z
  .object({
    index: z.int().meta({ description: 'place of the erasure’s own entry in the hash chain' }),
    leaf,
    leafHash: hash,
    treeSize: z.int(),
    rootHash: hash,
    hashes: path.meta({ description: 'the path from the leaf to the root' }),
    checkpoint: z.string().meta({ description: 'signed note of the checkpoint that holds the root' }),
  })
  .meta({
    id: 'ErasureReceipt',
    description:
      'Proves that the erasure is an entry of the signed ledger; the id in its leaf is `signal:` and the signal’s',
  });
export type ErasureReceipt = z.output<typeof erasureReceipt>;

const remains = z.object({
  in: z.enum(REMAINS_IN),
  days: z.int().nullable().meta({
    description: 'at the latest so many days after the erasure it is gone; null: nothing says when',
  }),
  what: z.string(),
});

const signalErasure = z
  .object({
    signalId: uuid,
    deleted: z.boolean().meta({ description: 'whether no answer of the service holds it any more' }),
    status: z.enum(['PENDING', 'ERASED']),
    reason: z.enum(ERASURE_REASONS),
    erasedAt: isoTime.meta({ description: 'when it was decided' }),
    receipt: erasureReceipt.nullable().meta({
      description: 'null while it is under way, and where nothing newer can be signed at the moment',
    }),
    remains: z.array(remains).meta({ description: 'where content of it remains for a while' }),
  })
  .meta({ id: 'SignalErasure' });
export type SignalErasureShown = z.output<typeof signalErasure>;

const one = z.object({ success: z.literal(true), data: signalErasure });

export const eraseSignal = defineRoute({
  ...endpoints.eraseSignal,
  operationId: 'eraseSignal',
  summary: 'Erases a signal, and proves it',
  description: [
    'The erasure is an entry of the hash chain itself. Once it is folded the signal is unknown, its audit stays in the list with `erased: true`, and the chain still verifies: hashes stay, columns and salts go. The answer waits up to five seconds for that and carries the receipt, else it is 202 and `GET /evidence/retention/erasures/{id}` has the receipt later. Erasing a signal again is 404, unless its content is served again because somebody changed or restored the tables: then it is blanked again, and the answer has the receipt of the first erasure. An audit that FAILED can be erased too; it is not replayed afterwards.',
    'Kept is a signal whose incident has not ended (409 `INCIDENT_OPEN`), and one that is younger than the framework of an active retention policy asks for (409 `RETENTION_ACTIVE`). `reason=DATA_SUBJECT_REQUEST` erases both nevertheless; the incident is a record of its own and keeps what was written into it. A legal hold is passed by for no reason (409 `LEGAL_HOLD`).',
    '`remains` says what is left for a while: in the event log the columns of the signal in clear but for its texts, which are sealed, and headers with sandbox, provider and model (7 days; of an audit that failed 14 days, with its sealed texts), rows that the blank one hides (a day), pages of an embedded store that are free and not overwritten yet, and whatever was downloaded before.',
  ].join('\n\n'),
  tag: 'evidence',
  auth: 'key',
  params: idParams,
  query: z.object({
    reason: z
      .enum(['DATA_SUBJECT_REQUEST'])
      .optional()
      .meta({ description: 'somebody whom the texts are about has asked for it' }),
  }),
  successStatus: 200,
  responses: { 200: one, 202: one.meta({ description: 'It is decided and under way.' }) },
  errors: [
    'NOT_FOUND',
    'LEGAL_HOLD',
    'RETENTION_ACTIVE',
    'INCIDENT_OPEN',
    'AUDIT_IN_FLIGHT',
    'ERASURES_UNDER_WAY',
    'TOO_MANY_AT_ONCE',
  ],
});

export const getErasure = defineRoute({
  ...endpoints.getErasure,
  operationId: 'getErasure',
  summary: 'The erasure of a signal with its receipt, by the id of the signal',
  description:
    'For signals that `DELETE /evidence/retention/signals/{id}` erased: also to learn what became of a request whose answer was lost.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});
