import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';
import { chainFault } from './evidence/hash-chain.ts';
import { uuid } from './fields/fields.ts';

export const damagedRange = z
  .object({
    reason: chainFault.shape.reason.meta({ description: 'DAMAGED: cannot be read; MISSING: not stored' }),
    fromIndex: z.int(),
    toIndex: z.int().meta({ description: 'inclusive' }),
    partition: z.int().meta({ description: 'partition of the topic audit.ledger' }),
    fromOffset: z
      .int()
      .nullable()
      .meta({ description: 'offset of the first of these records; null: unknown' }),
    isInLog: z
      .boolean()
      .nullable()
      .meta({ description: 'whether the event log still has all these records; null: unknown' }),
  })
  .meta({ id: 'DamagedRange' });
export type DamagedRange = z.output<typeof damagedRange>;

export const listDamage = defineRoute({
  ...endpoints.listDamage,
  operationId: 'listDamage',
  summary: 'List damaged ledger entries',
  description:
    'Reads and hashes the whole ledger of the customer, and lists entries that are missing or cannot be read. If `isInLog` is true, the event log still has the records: restore any backup of the warehouse, and the sink adds them again.',
  tag: 'Ledger',
  auth: 'internal',
  params: z.object({ id: uuid.meta({ description: 'id of the customer' }) }),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(damagedRange) }) },
  errors: [],
});
