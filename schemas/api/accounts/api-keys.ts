import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { defineRoute } from '../contract.ts';
import { apiKey, createdApiKey, newApiKey } from '../customers.ts';
import { idParams, single } from '../fields/fields.ts';
import { pageQuery, pagination } from '../fields/paging.ts';

/** API keys of the signed-in customer; the platform's operations are in `customers.ts`. */

const sessionOnly = 'Requires a session, so that a leaked key cannot create others.';

export const createOwnApiKey = defineRoute({
  ...endpoints.createOwnApiKey,
  operationId: 'createOwnApiKey',
  summary: 'Create an API key',
  description: `Only this response contains \`key\`; the service stores a hash. A retry with the same Idempotency-Key returns the record without it. ${sessionOnly}`,
  tag: 'API keys',
  auth: 'session',
  body: newApiKey,
  idempotent: true,
  noStore: true,
  successStatus: 201,
  responses: { 201: single(createdApiKey) },
  errors: ['API_KEY_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED'],
});

export const listOwnApiKeys = defineRoute({
  ...endpoints.listOwnApiKeys,
  operationId: 'listOwnApiKeys',
  summary: 'List API keys',
  description: `Newest first, including revoked keys. Each has the first eight characters of its value and the minute of its last use. ${sessionOnly}`,
  tag: 'API keys',
  auth: 'session',
  query: z.object(pageQuery),
  noStore: true,
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(apiKey), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const revokeOwnApiKey = defineRoute({
  ...endpoints.revokeOwnApiKey,
  operationId: 'revokeOwnApiKey',
  summary: 'Revoke an API key',
  description: `Requests with this key fail immediately. It stays in the list with the status revoked. This cannot be undone. ${sessionOnly}`,
  tag: 'API keys',
  auth: 'session',
  params: idParams,
  noStore: true,
  successStatus: 200,
  responses: { 200: single(apiKey) },
  errors: ['NOT_FOUND'],
});
