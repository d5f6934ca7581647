import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { PLANS } from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { single } from '../fields/fields.ts';

const used = z.object({
  used: z.int().nonnegative(),
  quota: z.int().nonnegative().nullable().meta({ description: 'null: unlimited' }),
});

const usage = z
  .object({
    plan: z.enum(PLANS),
    period: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'the UTC month that audits are counted in', examples: ['2026-11'] }),
    audits: used.meta({ description: 'accepted ingests of the period' }),
    sandboxes: used.meta({ description: 'those that are there; deleted ones do not count' }),
    rate: z.number().meta({ description: 'requests a second' }),
    burst: z.number().meta({ description: 'requests that may come at once' }),
  })
  .meta({ id: 'Usage' });
export type Usage = z.output<typeof usage>;

export const getUsage = defineRoute({
  ...endpoints.getUsage,
  operationId: 'getUsage',
  summary: 'What of the plan is used',
  description:
    'Audits and sandboxes beside their quotas, and the rate that API keys share. A session has a rate of its own.',
  tag: 'account',
  auth: 'key',
  successStatus: 200,
  responses: { 200: single(usage) },
  errors: [],
});
