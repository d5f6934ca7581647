import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { CUSTOMER_TYPES, PLANS } from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { correlationChange, correlationInForce } from './evidence/correlation-settings.ts';
import { displayName, idParams, isoTime, single, uuid } from './fields/fields.ts';
import { pageQuery, pagination } from './fields/paging.ts';

export const newCustomer = z.object({
  name: displayName,
  type: z.enum(CUSTOMER_TYPES),
  plan: z.enum(PLANS).default('DEV'),
});
export type NewCustomer = z.output<typeof newCustomer>;

const rate = z.int().min(1).max(1_000_000);
const quota = z.int().min(0).max(1_000_000_000);

/** Absent fields are unchanged; null removes an override, so that the plan's number applies again. */
export const customerChange = z
  .object({
    name: displayName,
    plan: z.enum(PLANS),
    rate: rate.nullable().meta({ description: 'requests a second; null: as the plan says' }),
    burst: rate.nullable().meta({ description: 'size of the bucket; null: as the plan says' }),
    auditQuota: quota
      .nullable()
      .meta({ description: 'accepted ingests per UTC month; null: as the plan says' }),
    sandboxQuota: quota.nullable().meta({ description: 'null: as the plan says' }),
    correlation: correlationChange.meta({
      description: 'how patterns are looked for as signals come; fields that are left out stay as they are',
    }),
  })
  .partial();
export type CustomerChange = z.output<typeof customerChange>;

const limit = z.number().nullable();

export const customer = z
  .object({
    id: uuid,
    name: z.string(),
    type: z.enum(CUSTOMER_TYPES),
    plan: z.enum(PLANS),
    active: z.boolean(),
    overrides: z.object({ rate: limit, burst: limit, auditQuota: limit, sandboxQuota: limit }),
    ratePerSecond: z.number(),
    burst: z.number(),
    auditQuota: limit.meta({ description: 'accepted ingests per UTC month; null: unlimited' }),
    sandboxQuota: limit,
    createdAt: isoTime,
    erasure: z
      .object({
        status: z.enum(['IN_PROGRESS', 'COMPLETED']),
        requestedAt: isoTime,
        completedAt: isoTime.optional(),
      })
      .optional()
      .meta({ description: 'of a customer that is being erased, or was; its name is empty at the end' }),
  })
  .meta({ id: 'Customer' });
export type Customer = z.output<typeof customer>;

/** Not in lists, where it would be one more read for each customer. */
export const customerWithSettings = customer
  .extend({
    correlation: correlationInForce
      .optional()
      .meta({ description: 'how patterns are looked for as signals come; not of an erased customer' }),
  })
  .meta({ id: 'CustomerWithSettings' });
export type CustomerWithSettings = z.output<typeof customerWithSettings>;

export const newApiKey = z.object({ name: displayName.default('API key') });

export const apiKey = z
  .object({
    id: uuid,
    name: z.string(),
    prefix: z.string().length(8),
    createdAt: isoTime,
    lastUsedAt: isoTime.nullable(),
    status: z.enum(['active', 'revoked']),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKey>;

const fullKey = z
  .string()
  .regex(/^cas_[0-9a-f]{48}$/)
  .meta({ description: 'the full key; shown by the first answer only' });

export const createdApiKey = apiKey.extend({ key: fullKey.optional() });

export const createCustomer = defineRoute({
  ...endpoints.createCustomer,
  operationId: 'createCustomer',
  summary: 'Creates a customer',
  description: 'The plan gives rate, burst and quotas. It can call nothing before it has an API key.',
  tag: 'internal',
  auth: 'internal',
  body: newCustomer,
  idempotent: true,
  successStatus: 201,
  responses: { 201: single(customer) },
  errors: [],
});

export const listCustomers = defineRoute({
  ...endpoints.listCustomers,
  operationId: 'listCustomers',
  summary: 'All customers, newest first',
  description: 'Erased ones too, without their names.',
  tag: 'internal',
  auth: 'internal',
  query: z.object(pageQuery),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(customer), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getCustomer = defineRoute({
  ...endpoints.getCustomer,
  operationId: 'getCustomer',
  summary: 'One customer',
  description:
    'With its plan, the limits that follow from plan and overrides, and how patterns are looked for.',
  tag: 'internal',
  auth: 'internal',
  params: idParams,
  successStatus: 200,
  responses: { 200: single(customerWithSettings) },
  errors: ['NOT_FOUND'],
});

export const updateCustomer = defineRoute({
  ...endpoints.updateCustomer,
  operationId: 'updateCustomer',
  summary: 'Changes name, plan, overrides and settings of patterns; the next request follows it',
  description:
    'A smaller plan takes no sandbox away: those above its number stay and work, and no new one can be made. Settings of patterns hold for the signals behind their entry of the ledger.',
  tag: 'internal',
  auth: 'internal',
  params: idParams,
  body: customerChange,
  idempotent: true,
  successStatus: 200,
  responses: { 200: single(customerWithSettings) },
  errors: ['NOT_FOUND', 'CUSTOMER_ERASED', 'SANDBOX_CHANGES_REACHED', 'STORAGE_LIMIT_REACHED'],
});

export const eraseCustomer = defineRoute({
  ...endpoints.eraseCustomer,
  operationId: 'eraseCustomer',
  summary: 'Erases a customer: keys are refused at once, content follows; repeatable',
  description:
    'Answers with the record, whose `erasure` says how far it is. Content goes through entries of the ledger, so that ' +
    'the hash chain stays verifiable; the key that everything else was sealed under is destroyed last. What remains ' +
    'for a while: sealed records in the log until its retention is over, answers that are remembered under an ' +
    'Idempotency-Key (24 h), and backups.',
  tag: 'internal',
  auth: 'internal',
  params: idParams,
  successStatus: 202,
  responses: { 202: single(customer) },
  errors: ['NOT_FOUND', 'LEGAL_HOLD'],
});

export const createApiKey = defineRoute({
  ...endpoints.createApiKey,
  operationId: 'createApiKey',
  summary: 'Creates an API key; its full value is shown once',
  description:
    'Only this answer holds `key`; what is stored is its hash. A repeat with the same Idempotency-Key shows the record without it.',
  tag: 'internal',
  auth: 'internal',
  params: idParams,
  body: newApiKey,
  idempotent: true,
  noStore: true,
  successStatus: 201,
  responses: { 201: single(createdApiKey) },
  errors: ['NOT_FOUND', 'CUSTOMER_ERASED', 'API_KEY_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED'],
});

export const listApiKeys = defineRoute({
  ...endpoints.listApiKeys,
  operationId: 'listApiKeys',
  summary: 'API keys of a customer, newest first, revoked ones too',
  description:
    'Each with the first eight characters of its value, and when it was last used, exact to a minute.',
  tag: 'internal',
  auth: 'internal',
  params: idParams,
  query: z.object(pageQuery),
  noStore: true,
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(apiKey), pagination }) },
  errors: ['NOT_FOUND', 'INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const revokeApiKey = defineRoute({
  ...endpoints.revokeApiKey,
  operationId: 'revokeApiKey',
  summary: 'Revokes an API key at once and for good',
  description: 'The next request with it fails, on every node. It stays in the list with the status revoked.',
  tag: 'internal',
  auth: 'internal',
  params: z.object({ id: z.string(), keyId: z.string() }),
  noStore: true,
  successStatus: 200,
  responses: { 200: single(apiKey) },
  errors: ['NOT_FOUND'],
});
