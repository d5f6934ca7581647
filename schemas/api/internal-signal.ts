import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { shownAs } from '../ledger/columns.ts';
import { SIGNAL_V1 } from '../ledger/signal.v1.ts';
import { RISK_LEVELS, VIOLATION_CODES, type ViolationCode } from '../vocabulary.ts';
import { triplet } from './audits.ts';
import { defineRoute } from './contract.ts';
import { sentTokenCount, single, uuid } from './fields/fields.ts';
import { newSandbox } from './sandboxes.ts';
import { signal } from './signals.ts';

/** Maximum length of the platform's reasoning, in characters. */
const MAX_REASONING = 10_000;

const code = z.enum(VIOLATION_CODES as readonly [ViolationCode, ...ViolationCode[]]);

/** A signal created by the platform itself. Absent fields are derived from the sandbox, as for an analysed audit. */
const newInternalSignal = z
  .object({
    auditId: uuid.optional().meta({ description: 'any UUID; default: a new one' }),
    customerId: z.string(),
    sandboxId: z
      .string()
      .optional()
      .meta({ description: 'takes precedence over sandboxSlug; one of the two is required' }),
    sandboxSlug: triplet.shape.sandboxSlug.optional(),
    provider: triplet.shape.provider,
    model: triplet.shape.model,
    riskLevel: z.enum(RISK_LEVELS),
    violations: z.array(code).max(VIOLATION_CODES.length).default([]),
    piiDetected: z
      .boolean()
      .optional()
      .meta({ description: 'default: whether a violation is personal data' }),
    confidence: z.number().min(0).max(1).default(1),
    reasoning: z.string().max(MAX_REASONING).default('').meta({ description: 'stored partially masked' }),
    regulation: newSandbox.shape.regulations
      .unwrap()
      .optional()
      .meta({ description: 'default: regulations of the sandbox that apply to the violations' }),
    region: newSandbox.shape.region
      .unwrap()
      .optional()
      .meta({ description: 'default: region of the sandbox' }),
    promptTokens: sentTokenCount.nullish(),
    outputTokens: sentTokenCount.nullish(),
    hasThinkingBlock: z.boolean().default(false),
    durationMs: z.number().nonnegative().default(0),
    createdAt: z.string().max(40).optional().meta({
      description: 'ISO 8601, within the last seven years; default: now',
      format: 'date-time',
      maxLength: undefined,
    }),
  })
  .superRefine(({ sandboxId, sandboxSlug, violations, riskLevel }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (sandboxId === undefined && sandboxSlug === undefined)
      refuse('sandboxId', 'sandboxId or sandboxSlug is required');
    if (violations.includes('CSAM') && riskLevel !== 'CRITICAL')
      refuse('riskLevel', 'must be CRITICAL for a signal with CSAM');
  });
export type NewInternalSignal = z.output<typeof newInternalSignal>;

/** The signal as appended to the log. Its position in the chain and its text are available when it is read. */
const acceptedSignal = signal
  .pick({ id: true, auditId: true, customerId: true })
  .extend(shownAs(SIGNAL_V1.shapes[0].core))
  .meta({ id: 'AcceptedSignal' });
export type AcceptedSignal = z.output<typeof acceptedSignal>;

export const submitInternalSignal = defineRoute({
  ...endpoints.submitInternalSignal,
  operationId: 'submitInternalSignal',
  summary: 'Create a platform signal',
  description: [
    'Returns 201 when the signal is durable. It is stored a moment later and counts in the reconciliation, but not against the audit limit.',
    'The same body with the same audit id returns 200. A different body, or the id of an ingested audit, returns 409. After a lost response or a 503, send the same request again.',
  ].join('\n\n'),
  tag: 'Signals',
  auth: 'internal',
  body: newInternalSignal,
  unknownFields: 'dropped',
  idempotent: true,
  successStatus: 201,
  responses: { 200: single(acceptedSignal), 201: single(acceptedSignal) },
  errors: ['NOT_FOUND', 'SANDBOX_NOT_FOUND', 'CONFLICT', 'CUSTOMER_ERASED', 'PARTITION_STOPPED'],
});
