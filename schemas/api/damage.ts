import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';
import { chainFault } from './evidence/hash-chain.ts';
import { uuid } from './fields/fields.ts';

export const damagedRange = z
  .object({
    reason: chainFault.shape.reason.meta({ description: 'DAMAGED: cannot be read; MISSING: is not there' }),
    fromIndex: z.int(),
    toIndex: z.int().meta({ description: 'inclusive' }),
    partition: z.int().meta({ description: 'of the topic audit.ledger' }),
    fromOffset: z.int().nullable().meta({ description: 'of the first of these records; null: not known' }),
    isInLog: z
      .boolean()
      .nullable()
      .meta({ description: 'whether the log still holds all these records; null: not known' }),
  })
  .meta({ id: 'DamagedRange' });
export type DamagedRange = z.output<typeof damagedRange>;

export const listDamage = defineRoute({
  ...endpoints.listDamage,
  operationId: 'listDamage',
  summary: 'Entries of a customer’s ledger that are stored and cannot be read, or are missing',
  description:
    'Reads and hashes the whole ledger. `isInLog` says whether the records are still in the log: then any backup of the warehouse brings them back, for the sink folds again what the log holds after its position.',
  tag: 'internal',
  auth: 'internal',
  params: z.object({ id: uuid.meta({ description: 'id of the customer' }) }),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(damagedRange) }) },
  errors: [],
});
