import { z } from 'zod';
import { CUSTOMER_TYPES, PLANS } from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { displayName, idParams, isoTime, single, uuid } from './fields.ts';
import { pageQuery, pagination } from './paging.ts';

export const newCustomer = z.object({
  name: displayName,
  type: z.enum(CUSTOMER_TYPES),
  plan: z.enum(PLANS).default('DEV'),
});
export type NewCustomer = z.output<typeof newCustomer>;

const limit = z.number().nullable();

export const customer = z.object({
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
});
export type Customer = z.output<typeof customer>;

export const newApiKey = z.object({ name: displayName.default('API key') });

export const apiKey = z.object({
  id: uuid,
  name: z.string(),
  prefix: z.string().length(8),
  createdAt: isoTime,
  lastUsedAt: isoTime.nullable(),
  status: z.enum(['active', 'revoked']),
});
export type ApiKey = z.output<typeof apiKey>;

const fullKey = z
  .string()
  .regex(/^cas_[0-9a-f]{48}$/)
  .meta({ description: 'the full key; shown by the first answer only' });

export const createdApiKey = apiKey.extend({ key: fullKey.optional() });

export const createCustomer = defineRoute({
  method: 'POST',
  path: '/internal/customers',
  operationId: 'createCustomer',
  summary: 'Creates a customer',
  tag: 'internal',
  auth: 'internal',
  body: newCustomer,
  idempotent: true,
  successStatus: 201,
  responses: { 201: single(customer) },
  errors: [],
});

export const listCustomers = defineRoute({
  method: 'GET',
  path: '/internal/customers',
  operationId: 'listCustomers',
  summary: 'All customers, newest first',
  tag: 'internal',
  auth: 'internal',
  query: z.object(pageQuery),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(customer), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getCustomer = defineRoute({
  method: 'GET',
  path: '/internal/customers/:id',
  operationId: 'getCustomer',
  summary: 'One customer',
  tag: 'internal',
  auth: 'internal',
  params: idParams,
  successStatus: 200,
  responses: { 200: single(customer) },
  errors: ['NOT_FOUND'],
});

export const createApiKey = defineRoute({
  method: 'POST',
  path: '/internal/customers/:id/api-keys',
  operationId: 'createApiKey',
  summary: 'Creates an API key; its full value is shown once',
  tag: 'internal',
  auth: 'internal',
  params: idParams,
  body: newApiKey,
  idempotent: true,
  noStore: true,
  successStatus: 201,
  responses: { 201: single(createdApiKey) },
  errors: ['NOT_FOUND'],
});

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/internal/customers/:id/api-keys',
  operationId: 'listApiKeys',
  summary: 'API keys of a customer, newest first, revoked ones too',
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
  method: 'DELETE',
  path: '/internal/customers/:id/api-keys/:keyId',
  operationId: 'revokeApiKey',
  summary: 'Revokes an API key at once and for good',
  tag: 'internal',
  auth: 'internal',
  params: z.object({ id: z.string(), keyId: z.string() }),
  noStore: true,
  successStatus: 200,
  responses: { 200: single(apiKey) },
  errors: ['NOT_FOUND'],
});
