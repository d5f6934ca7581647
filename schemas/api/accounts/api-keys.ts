import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { defineRoute } from '../contract.ts';
import { apiKey, createdApiKey, newApiKey } from '../customers.ts';
import { idParams, single } from '../fields/fields.ts';
import { pageQuery, pagination } from '../fields/paging.ts';

/** API keys of the customer that is signed in; the platform's operations are in `customers.ts`. */

const sessionOnly = 'Needs a session: a key that leaked could otherwise make itself successors.';

export const createOwnApiKey = defineRoute({
  ...endpoints.createOwnApiKey,
  operationId: 'createOwnApiKey',
  summary: 'Creates an API key; its full value is shown once',
  description: `Only this answer holds \`key\`; what is stored is its hash. A repeat with the same Idempotency-Key shows the record without it. ${sessionOnly}`,
  tag: 'account',
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
  summary: 'API keys, newest first, revoked ones too',
  description: `Each with the first eight characters of its value, and when it was last used, exact to a minute. ${sessionOnly}`,
  tag: 'account',
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
  summary: 'Revokes an API key at once and for good',
  description: `The next request with it fails, on every node. It stays in the list with the status revoked. ${sessionOnly}`,
  tag: 'account',
  auth: 'session',
  params: idParams,
  noStore: true,
  successStatus: 200,
  responses: { 200: single(apiKey) },
  errors: ['NOT_FOUND'],
});
