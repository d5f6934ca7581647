import { z } from 'zod';
import { AUDIT_SOURCES, AUDIT_STATUSES, FAILURE_CODES, RISK_LEVELS, STEP_NAMES } from '../vocabulary.ts';
import { defineRoute, KIB, MIB } from './contract.ts';
import { hash, idParams, isoTime, sandboxSlug, single, uuid } from './fields.ts';

export const MAX_CUSTOM_FIELDS_BYTES = 16 * KIB;
export const MAX_CUSTOM_FIELDS_DEPTH = 8;
export const MAX_WAIT_SECONDS = 30;

const isPrintable = (text: string): boolean => !/\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tokenCount = z.int().nonnegative().optional();

/**
 * A compliance triplet. customFields stay untouched (a schema that copies would walk what nobody looks into); their
 * size and depth are checked where they are taken in.
 */
export const triplet = z.object({
  sandboxSlug: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Expected 1 to 64 letters, digits, - or _'),
  provider: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      'Expected 1 to 64 of a-z, 0-9, ., _ and -, first a letter or digit',
    ),
  model: z.string().min(1).max(128).refine(isPrintable, 'Expected printable characters only'),
  prompt: z.string().min(1),
  response: z.string(),
  metadata: z
    .object({
      promptTokens: tokenCount,
      outputTokens: tokenCount,
      hasThinkingBlock: z.boolean().optional(),
      thinkingBlock: z.string().optional(),
      customFields: z
        .custom<Record<string, unknown>>(isRecord, 'Expected an object')
        .meta({ type: 'object', description: 'up to 16 KiB of JSON and a depth of 8' })
        .optional(),
    })
    .optional(),
});
export type Triplet = z.output<typeof triplet>;

export const receipt = z.object({
  payloadDigest: hash.meta({
    description: 'SHA-256 over the nonce and the canonical JSON of the triplet as sent',
  }),
  nonce: hash,
  acceptedAt: isoTime,
  partition: z.int(),
  offset: z.int(),
  keyId: z.string(),
  signature: z.string().meta({ description: 'base64 Ed25519 over the canonical JSON of the other fields' }),
});
export type Receipt = z.output<typeof receipt>;

export const acceptedAudit = z.object({
  success: z.literal(true),
  auditId: uuid,
  status: z.literal('QUEUED'),
  data: z.object({
    auditId: uuid,
    status: z.literal('QUEUED'),
    sandboxSlug,
    acceptedAt: isoTime,
    receipt,
  }),
});
export type AcceptedAudit = z.output<typeof acceptedAudit>;

export const auditStep = z.object({
  name: z.enum(STEP_NAMES),
  at: isoTime,
  attempt: z.int().optional(),
  reason: z.string().optional(),
});
export type AuditStep = z.output<typeof auditStep>;

export const audit = z.object({
  id: uuid,
  auditId: uuid,
  sandboxSlug: z.string(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  source: z.enum(AUDIT_SOURCES),
  status: z.enum(AUDIT_STATUSES),
  attempts: z.int().meta({ description: 'analyses begun' }),
  riskLevel: z.enum(RISK_LEVELS).optional(),
  violations: z.array(z.string()),
  failureCode: z.enum(FAILURE_CODES).optional(),
  createdAt: isoTime,
  completedAt: isoTime.optional(),
  durationMs: z.number().optional(),
  steps: z.array(auditStep),
  erased: z.literal(true).optional(),
});
export type Audit = z.output<typeof audit>;

export const ingestAudit = defineRoute({
  method: 'POST',
  path: '/audit/ingest',
  operationId: 'ingestAudit',
  summary: 'Hands in a compliance triplet for analysis',
  tag: 'audits',
  auth: 'key',
  body: triplet,
  bodyLimitBytes: 2 * MIB,
  idempotent: true,
  successStatus: 202,
  responses: { 202: acceptedAudit },
  errors: ['CUSTOM_FIELDS_TOO_LARGE', 'SANDBOX_NOT_FOUND', 'SANDBOX_INACTIVE', 'AUDIT_LIMIT_REACHED'],
});

export const getAudit = defineRoute({
  method: 'GET',
  path: '/audits/:id',
  operationId: 'getAudit',
  summary: 'One audit with the steps it went through',
  tag: 'audits',
  auth: 'key',
  params: idParams,
  query: z.object({
    wait: z
      .string()
      .regex(/^\d{1,9}$/, 'wait is a whole number of seconds')
      .transform((text) => Math.min(Number(text), MAX_WAIT_SECONDS))
      .optional()
      .meta({ description: 'seconds to hold the answer for a final state, at most 30' }),
  }),
  successStatus: 200,
  responses: { 200: single(audit) },
  errors: ['NOT_FOUND'],
});
