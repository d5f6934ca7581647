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
      .meta({ description: 'current UTC month', examples: ['2026-11'] }),
    audits: used.meta({ description: 'audits accepted in this month' }),
    sandboxes: used.meta({ description: 'existing sandboxes; deleted ones do not count' }),
    rate: z.number().meta({ description: 'requests per second' }),
    burst: z.number().meta({ description: 'maximum number of requests at once' }),
  })
  .meta({ id: 'Usage' });
export type Usage = z.output<typeof usage>;

export const getUsage = defineRoute({
  ...endpoints.getUsage,
  operationId: 'getUsage',
  summary: 'Get plan usage',
  description:
    'Returns audits and sandboxes with their limits, and the rate limit that API keys share. Sessions have their own rate limit.',
  tag: 'Accounts',
  auth: 'key',
  successStatus: 200,
  responses: { 200: single(usage) },
  errors: [],
});
