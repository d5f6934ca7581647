import { z } from 'zod';
import {
  GUARDIAN_ACTIONS,
  REDACTION_STRATEGIES,
  REGIONS,
  REGULATION_ALIASES,
  RISK_LEVELS,
  SANDBOX_TYPES,
} from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { displayName, idParams, isoTime, sandboxSlug, single, uuid } from './fields.ts';
import { pageQuery, pagination } from './paging.ts';

/** Stored as mapped: `PCI-DSS` is taken for `PCI_DSS`. Own property only, for `constructor` is no alias. */
const regulation = z
  .string()
  .max(64)
  .transform((code) => (Object.hasOwn(REGULATION_ALIASES, code) ? REGULATION_ALIASES[code]! : code))
  .refine((code) => /^[A-Z][A-Z0-9_]{1,31}$/.test(code), 'Expected a code such as GDPR or EU_AI_ACT');

export const newSandbox = z.object({
  name: displayName,
  slug: sandboxSlug,
  sandboxType: z.enum(SANDBOX_TYPES),
  regulations: z
    .array(regulation)
    .max(50)
    .transform((codes) => [...new Set(codes)])
    .default([]),
  alertThreshold: z.enum(RISK_LEVELS).default('HIGH'),
  guardianAction: z.enum(GUARDIAN_ACTIONS).default('REDACT_AND_CONTINUE'),
  customRules: z.array(z.string().min(1).max(500)).max(50).default([]),
  region: z.enum(REGIONS).default('GLOBAL'),
  active: z.boolean().default(true),
  redactionStrategy: z.enum(REDACTION_STRATEGIES).default('FULL'),
});
export type NewSandbox = z.output<typeof newSandbox>;

export const sandbox = z.object({
  id: uuid,
  version: z.int(),
  name: z.string(),
  slug: z.string(),
  sandboxType: z.enum(SANDBOX_TYPES),
  regulations: z.array(z.string()),
  alertThreshold: z.enum(RISK_LEVELS),
  guardianAction: z.enum(GUARDIAN_ACTIONS),
  customRules: z.array(z.string()),
  region: z.enum(REGIONS),
  active: z.boolean(),
  redactionStrategy: z.enum(REDACTION_STRATEGIES),
  createdAt: isoTime,
  updatedAt: isoTime,
});
export type Sandbox = z.output<typeof sandbox>;

export const createSandbox = defineRoute({
  method: 'POST',
  path: '/sandboxes',
  operationId: 'createSandbox',
  summary: 'Creates a sandbox',
  tag: 'sandboxes',
  auth: 'key',
  body: newSandbox,
  idempotent: true,
  successStatus: 201,
  responses: { 201: single(sandbox) },
  errors: ['SANDBOX_EXISTS', 'SANDBOX_LIMIT_REACHED'],
});

export const listSandboxes = defineRoute({
  method: 'GET',
  path: '/sandboxes',
  operationId: 'listSandboxes',
  summary: 'The sandboxes of the customer, newest first',
  tag: 'sandboxes',
  auth: 'key',
  query: z.object(pageQuery),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(sandbox), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getSandbox = defineRoute({
  method: 'GET',
  path: '/sandboxes/:id',
  operationId: 'getSandbox',
  summary: 'One sandbox, by id or slug',
  tag: 'sandboxes',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: single(sandbox) },
  errors: ['NOT_FOUND'],
});
