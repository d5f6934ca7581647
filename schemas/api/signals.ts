import { z } from 'zod';
import { AUDIT_SOURCES, REGIONS, RISK_LEVELS, VIOLATION_CODES } from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { dateQuery, toDateRange } from './dates.ts';
import { hash, idParams, isoTime, nameFilter, single, uuid } from './fields.ts';
import { pageQuery, pagination } from './paging.ts';

export const detectionSummary = z.object({
  code: z.string(),
  detector: z.string(),
  version: z.int(),
  count: z.int(),
  ruleIndex: z.int().optional(),
});

export const signal = z
  .object({
    id: uuid.meta({ description: 'the audit id' }),
    auditId: uuid,
    customerId: uuid,
    sandboxId: z.string(),
    sandboxSlug: z.string(),
    sandbox: z.object({ slug: z.string(), name: z.string() }).optional(),
    provider: z.string(),
    model: z.string(),
    promptTokens: z.int().nullable(),
    outputTokens: z.int().nullable(),
    hasThinkingBlock: z.boolean(),
    riskLevel: z.enum(RISK_LEVELS),
    violations: z.array(z.string()),
    piiDetected: z.boolean(),
    confidence: z.number().min(0).max(1),
    reasoning: z.string().nullable(),
    regulation: z.array(z.string()),
    region: z.enum(REGIONS),
    durationMs: z.number(),
    policyVersion: z.string().nullable(),
    detections: z.array(detectionSummary),
    payloadDigest: hash.nullable(),
    alert: z.boolean(),
    source: z.enum(AUDIT_SOURCES),
    attempts: z.int(),
    acceptedAt: isoTime,
    createdAt: isoTime,
    anonymized: z.literal(true).optional(),
    index: z.int().meta({ description: 'place in the hash chain' }),
    previousHash: hash,
    hash,
  })
  .meta({ id: 'Signal' });
export type Signal = z.output<typeof signal>;

export const signalFilters = {
  riskLevel: z.enum(RISK_LEVELS).optional(),
  sandboxSlug: nameFilter,
  provider: nameFilter,
  violation: z.enum(VIOLATION_CODES as readonly [string, ...string[]]).optional(),
  ...dateQuery,
};

export const listSignals = defineRoute({
  method: 'GET',
  path: '/dashboard/signals',
  operationId: 'listSignals',
  summary: 'Signals of the customer, newest first; filters combine with AND',
  description: 'A signal is the result of one audit. A new one appears a moment after its audit.',
  tag: 'dashboard',
  auth: 'key',
  costly: 'read',
  query: z
    .object({ ...signalFilters, ...pageQuery })
    .transform(({ from, to, startDate, endDate, ...rest }, context) => ({
      ...rest,
      range: toDateRange({ from, to, startDate, endDate }, context),
    })),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(signal), signals: z.array(signal), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getSignal = defineRoute({
  method: 'GET',
  path: '/dashboard/signals/:id',
  operationId: 'getSignal',
  summary: 'One signal, by its audit id',
  description:
    '`reasoning` says what was found where, with values masked. `hash` and `index` are its place in the hash chain.',
  tag: 'dashboard',
  auth: 'key',
  costly: 'read',
  params: idParams,
  successStatus: 200,
  responses: { 200: single(signal) },
  errors: ['NOT_FOUND'],
});
