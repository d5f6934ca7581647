import { z } from 'zod';
import * as endpoints from '../../../endpoints.ts';
import { FRAMEWORKS } from '../../../vocabulary.ts';
import { defineRoute } from '../../contract.ts';
import { isoTime, uuid } from '../../fields/fields.ts';

const run = z.object({
  id: uuid,
  startedAt: isoTime,
  finishedAt: isoTime,
  erased: z.int(),
  anonymized: z.int(),
  held: z.int().meta({ description: 'signals whose time was over, and that an open incident kept' }),
});

const policy = z.object({
  id: uuid,
  name: z.string(),
  framework: z.enum(FRAMEWORKS).nullable(),
  retentionDays: z.int(),
  eligible: z.int().meta({
    description: 'signals that this policy decides for, whose time is over, and that are still there',
  }),
  overdue: z.int().meta({
    description:
      'those of them whose time was over more than two days ago: a hold or an incident keeps them, or runs do not keep up',
  }),
  nextRunAt: isoTime.nullable().meta({ description: 'null: it is a hold, or not active' }),
});

const status = z
  .object({
    totalSignals: z.int(),
    oldestSignalAt: isoTime.nullable(),
    policies: z.array(policy),
    legalHolds: z.int().meta({ description: 'number of policies that hold' }),
    lastRun: run.nullable().meta({ description: 'the one that ended last' }),
    erasedTotal: z.int().meta({ description: 'signals that were erased, by whomever' }),
  })
  .meta({ id: 'RetentionStatus' });
export type RetentionStatus = z.output<typeof status>;

export const getRetentionStatus = defineRoute({
  ...endpoints.getRetentionStatus,
  operationId: 'getRetentionStatus',
  summary: 'How old the signals are, and which of them the retention policies still have to take',
  description:
    'Policies run once a day and when an operator asks for it; each batch of a run is an entry of the hash chain, and the end of the run too.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: status }) },
  errors: [],
});

export const runRetention = defineRoute({
  ...endpoints.runRetention,
  operationId: 'runRetention',
  summary: 'Runs the retention policies of all customers now',
  description:
    'Within seconds the first of them begins. A run that goes on is carried on, and begun again afterwards. `GET /evidence/retention/status` of a customer shows the run that ended last.',
  tag: 'internal',
  auth: 'internal',
  successStatus: 202,
  responses: {
    202: z.object({
      success: z.literal(true),
      data: z.object({
        requestedAt: isoTime,
        customers: z.int().meta({ description: 'customers that have, or had, policies' }),
      }),
    }),
  },
  errors: [],
});
