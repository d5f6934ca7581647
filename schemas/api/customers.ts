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

/** Absent fields are unchanged; null removes an override, so that the plan's value applies again. */
export const customerChange = z
  .object({
    name: displayName,
    plan: z.enum(PLANS),
    rate: rate.nullable().meta({ description: 'requests per second; null: value of the plan' }),
    burst: rate.nullable().meta({ description: 'burst size; null: value of the plan' }),
    auditQuota: quota.nullable().meta({ description: 'audits per UTC month; null: value of the plan' }),
    sandboxQuota: quota.nullable().meta({ description: 'null: value of the plan' }),
    correlation: correlationChange.meta({
      description: 'settings for detecting patterns in real time; omitted fields stay unchanged',
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
    auditQuota: limit.meta({ description: 'audits per UTC month; null: unlimited' }),
    sandboxQuota: limit,
    createdAt: isoTime,
    erasure: z
      .object({
        status: z.enum(['IN_PROGRESS', 'COMPLETED']),
        requestedAt: isoTime,
        completedAt: isoTime.optional(),
      })
      .optional()
      .meta({ description: 'progress of the erasure of this customer; afterwards its name is empty' }),
  })
  .meta({ id: 'Customer' });
export type Customer = z.output<typeof customer>;

/** Omitted from lists, where it would need another read per customer. */
export const customerWithSettings = customer
  .extend({
    correlation: correlationInForce
      .optional()
      .meta({ description: 'settings for detecting patterns in real time; absent for erased customers' }),
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
  .meta({ description: 'the full key; shown only once' });

export const createdApiKey = apiKey.extend({ key: fullKey.optional() });

export const createCustomer = defineRoute({
  ...endpoints.createCustomer,
  operationId: 'createCustomer',
  summary: 'Create a customer',
  description: 'The plan sets rate, burst and limits. The customer needs an API key to make requests.',
  tag: 'Customers',
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
  summary: 'List customers',
  description: 'Newest first, including erased customers without their names.',
  tag: 'Customers',
  auth: 'internal',
  query: z.object(pageQuery),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(customer), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getCustomer = defineRoute({
  ...endpoints.getCustomer,
  operationId: 'getCustomer',
  summary: 'Get a customer',
  description: 'Includes the plan, the resulting limits with overrides, and the pattern settings.',
  tag: 'Customers',
  auth: 'internal',
  params: idParams,
  successStatus: 200,
  responses: { 200: single(customerWithSettings) },
  errors: ['NOT_FOUND'],
});

export const updateCustomer = defineRoute({
  ...endpoints.updateCustomer,
  operationId: 'updateCustomer',
  summary: 'Update a customer',
  description:
    'Takes effect from the next request of the customer. On a smaller plan, existing sandboxes above the limit keep working, but no new ones can be created. Pattern settings apply to new signals.',
  tag: 'Customers',
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
  summary: 'Erase a customer',
  description: [
    'Its keys are rejected immediately, and its content is erased afterwards; `erasure` in the response shows the progress. Can be repeated safely.',
    'Erasures are recorded in the ledger, which still verifies. The encryption key of the customer is destroyed last. Some data remains for a limited time: encrypted records in the event log, responses stored under Idempotency-Keys (24 hours), and backups.',
  ].join('\n\n'),
  tag: 'Customers',
  auth: 'internal',
  params: idParams,
  successStatus: 202,
  responses: { 202: single(customer) },
  errors: ['NOT_FOUND', 'LEGAL_HOLD'],
});

export const createApiKey = defineRoute({
  ...endpoints.createApiKey,
  operationId: 'createApiKey',
  summary: 'Create an API key for a customer',
  description:
    'Only this response contains `key`; the service stores a hash. A retry with the same Idempotency-Key returns the record without it.',
  tag: 'Customers',
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
  summary: 'List API keys of a customer',
  description:
    'Newest first, including revoked keys. Each has the first eight characters of its value and the minute of its last use.',
  tag: 'Customers',
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
  summary: 'Revoke an API key of a customer',
  description:
    'Requests with this key fail immediately. It stays in the list with the status revoked. This cannot be undone.',
  tag: 'Customers',
  auth: 'internal',
  params: z.object({ id: z.string(), keyId: z.string() }),
  noStore: true,
  successStatus: 200,
  responses: { 200: single(apiKey) },
  errors: ['NOT_FOUND'],
});
