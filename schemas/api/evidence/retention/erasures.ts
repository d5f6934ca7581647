import { z } from 'zod';
import * as endpoints from '../../../endpoints.ts';
import { ERASURE_REASONS, REMAINS_IN } from '../../../vocabulary.ts';
import { defineRoute } from '../../contract.ts';
import { hash, idParams, isoTime, uuid } from '../../fields/fields.ts';
import { leaf, path } from '../hash-chain-proofs.ts';

export const erasureReceipt = z
  .object({
    index: z.int().meta({ description: 'index of the erasure in the ledger' }),
    leaf,
    leafHash: hash,
    treeSize: z.int(),
    rootHash: hash,
    hashes: path.meta({ description: 'path from the leaf to the root' }),
    checkpoint: z.string().meta({ description: 'signed checkpoint with this root' }),
  })
  .meta({
    id: 'ErasureReceipt',
    description:
      'Proves that the erasure is in the signed ledger; the id in its leaf is `signal:` plus the id of the signal',
  });
export type ErasureReceipt = z.output<typeof erasureReceipt>;

const remains = z.object({
  in: z.enum(REMAINS_IN),
  days: z.int().nullable().meta({
    description: 'maximum number of days until the copy is gone; null: no end date',
  }),
  what: z.string(),
});

const signalErasure = z
  .object({
    signalId: uuid,
    deleted: z.boolean().meta({ description: 'whether the service no longer returns the content' }),
    status: z.enum(['PENDING', 'ERASED']),
    reason: z.enum(ERASURE_REASONS),
    erasedAt: isoTime.meta({ description: 'when the erasure was requested' }),
    receipt: erasureReceipt.nullable().meta({
      description: 'null while in progress, or while nothing newer can be signed',
    }),
    remains: z.array(remains).meta({ description: 'copies that still exist for a limited time' }),
  })
  .meta({ id: 'SignalErasure' });
export type SignalErasureShown = z.output<typeof signalErasure>;

const one = z.object({ success: z.literal(true), data: signalErasure });

export const eraseSignal = defineRoute({
  ...endpoints.eraseSignal,
  operationId: 'eraseSignal',
  summary: 'Erase a signal',
  description: [
    'Erases the content of a signal and records the erasure in the ledger. The signal then returns 404, its audit stays in the list with `erased: true`, and the ledger still verifies. The response waits up to five seconds for the receipt; otherwise it is 202, and `GET /evidence/retention/erasures/{id}` returns the receipt later. Failed audits can be erased too and are not replayed afterwards.',
    'Erasing an erased signal returns 404. If someone restored or changed the tables so that its content is back, it is erased again, and the first receipt is returned.',
    'Erasure is rejected while the signal has an open incident (409 `INCIDENT_OPEN`) or a retention policy still requires it (409 `RETENTION_ACTIVE`). `reason=DATA_SUBJECT_REQUEST` overrides both, but not a legal hold (409 `LEGAL_HOLD`). Incidents keep what was written into them.',
    '`remains` lists copies that still exist for a limited time: event log records (7 days; 14 days for failed audits), table rows that were replaced (one day), unused pages of an embedded store, and downloads.',
  ].join('\n\n'),
  tag: 'Retention',
  auth: 'key',
  params: idParams,
  query: z.object({
    reason: z
      .enum(['DATA_SUBJECT_REQUEST'])
      .optional()
      .meta({ description: 'requested by the data subject' }),
  }),
  successStatus: 200,
  responses: { 200: one, 202: one.meta({ description: 'The erasure is in progress.' }) },
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
  summary: 'Get an erasure',
  description:
    'Returns the erasure with its receipt, by the id of the signal. Use it after `DELETE /evidence/retention/signals/{id}`, for example if its response was lost.',
  tag: 'Retention',
  auth: 'key',
  costly: 'read',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});
