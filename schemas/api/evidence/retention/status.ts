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
  held: z.int().meta({ description: 'due signals kept because of an open incident' }),
});

const policy = z.object({
  id: uuid,
  name: z.string(),
  framework: z.enum(FRAMEWORKS).nullable(),
  retentionDays: z.int(),
  eligible: z.int().meta({
    description: 'signals that are due for deletion by this policy',
  }),
  overdue: z.int().meta({
    description: 'signals due for more than two days, because of a hold, an incident or slow runs',
  }),
  nextRunAt: isoTime.nullable().meta({ description: 'null: the policy is a hold or inactive' }),
});

const status = z
  .object({
    totalSignals: z.int(),
    oldestSignalAt: isoTime.nullable(),
    policies: z.array(policy),
    legalHolds: z.int().meta({ description: 'number of policies with a legal hold' }),
    lastRun: run.nullable().meta({ description: 'last finished run' }),
    erasedTotal: z.int().meta({ description: 'signals erased, for any reason' }),
  })
  .meta({ id: 'RetentionStatus' });
export type RetentionStatus = z.output<typeof status>;

export const getRetentionStatus = defineRoute({
  ...endpoints.getRetentionStatus,
  operationId: 'getRetentionStatus',
  summary: 'Get the retention status',
  description:
    'Shows the age of your signals and which are due for deletion. Policies run once a day and on request of an operator. Each batch and the end of each run are recorded in the ledger.',
  tag: 'Retention',
  auth: 'key',
  costly: 'read',
  successStatus: 200,
  responses: { 200: z.object({ success: z.literal(true), data: status }) },
  errors: [],
});

export const runRetention = defineRoute({
  ...endpoints.runRetention,
  operationId: 'runRetention',
  summary: 'Run retention policies',
  description:
    'Runs the policies of all customers; the first starts within seconds. A run in progress is finished first and then repeated. `GET /evidence/retention/status` shows the last finished run of a customer.',
  tag: 'Retention',
  auth: 'internal',
  successStatus: 202,
  responses: {
    202: z.object({
      success: z.literal(true),
      data: z.object({
        requestedAt: isoTime,
        customers: z.int().meta({ description: 'customers with policies, now or earlier' }),
      }),
    }),
  },
  errors: [],
});
