import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { AUDIT_SOURCES, AUDIT_STATUSES, FAILURE_CODES, RISK_LEVELS, STEP_NAMES } from '../vocabulary.ts';
import { defineRoute, KIB, MIB } from './contract.ts';
import { dateQuery, withRange } from './fields/dates.ts';
import {
  hash,
  idParams,
  isoTime,
  nameFilter,
  provider,
  providerFilter,
  queryInteger,
  riskLevelFilter,
  sandboxSlug,
  sentTokenCount,
  single,
  uuid,
} from './fields/fields.ts';
import { promptText, responseText } from './fields/messages.ts';
import { pageQuery, pagination } from './fields/paging.ts';

export const MAX_CUSTOM_FIELDS_BYTES = 16 * KIB;
export const MAX_CUSTOM_FIELDS_DEPTH = 8;
const MAX_WAIT_SECONDS = 30;

/** No control characters, no line or paragraph separators. Lone surrogates never get this far. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused; not every client knows \p{Cc}
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Largest triplet, alone or in a batch, without the images and other files that its texts contain as base64. */
export const MAX_TRIPLET_BYTES = 2 * MIB;
/** Largest body as sent, including them; a compressed body must also not exceed it when inflated. */
export const MAX_SENT_BYTES = 16 * MIB;

/** A list is not a triplet, but another operation accepts lists. */
const sayOne = ({ input }: { readonly input?: unknown }): string | undefined =>
  Array.isArray(input)
    ? `Expected one triplet, an object; a list was sent. ${endpoints.ingestBatch.method} ${endpoints.ingestBatch.path} takes lists`
    : undefined;

/**
 * A compliance triplet. customFields are passed through (a copying schema would traverse data that nothing reads);
 * ingest checks their size and depth.
 */
export const triplet = z
  .object(
    {
      sandboxSlug: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Expected 1 to 64 letters, digits, - or _'),
      provider,
      model: z.string().min(1).max(128).regex(PRINTABLE, 'Expected printable characters only'),
      prompt: promptText,
      response: responseText,
      metadata: z
        .object({
          promptTokens: sentTokenCount.optional(),
          outputTokens: sentTokenCount.optional(),
          hasThinkingBlock: z.boolean().optional(),
          thinkingBlock: z.string().optional(),
          customFields: z
            .custom<Record<string, unknown>>(isRecord, 'Expected an object')
            .meta({ type: 'object', description: 'up to 16 KiB of JSON, nested up to 8 levels' })
            .optional(),
        })
        .optional(),
    },
    { error: sayOne },
  )
  .meta({ id: 'Triplet' });
export type Triplet = z.output<typeof triplet>;

const receiptContent = z.object({
  payloadDigest: hash.meta({
    description: 'SHA-256 over the nonce and the canonical JSON of the triplet as sent',
  }),
  nonce: hash,
  acceptedAt: isoTime,
  partition: z.int(),
  offset: z.int(),
  keyId: z.string(),
});
export type ReceiptContent = z.output<typeof receiptContent>;

const inclusion = z
  .object({
    leafIndex: z.int().min(0),
    treeSize: z.int().min(1),
    rootHash: hash,
    hashes: z.array(hash).meta({ description: 'sibling hashes on the path to the root, lowest first' }),
  })
  .meta({
    id: 'ReceiptInclusion',
    description:
      'position of the receipt in a Merkle tree (RFC 6962) of receipts signed together; the leaf is the canonical JSON of the receipt without inclusion and signature',
  });

/** A receipt that was signed alone lacks `inclusion`: its signature covers the canonical JSON of the other fields. */
export const receipt = receiptContent
  .extend({
    inclusion: inclusion.optional(),
    signature: z.string().meta({
      description:
        'base64 Ed25519 over `cas/receipts/v1`, a zero byte, and the canonical JSON of keyId, rootHash and treeSize; without inclusion, over the canonical JSON of the other fields',
    }),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.output<typeof receipt>;

const acceptedAudit = z.object({
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

const auditStep = z.object({
  name: z.enum(STEP_NAMES),
  at: isoTime,
  attempt: z.int().optional(),
  reason: z.string().optional(),
});
export type AuditStep = z.output<typeof auditStep>;

/** An audit as shown in the list. */
const listedAudit = z
  .object({
    id: uuid,
    auditId: uuid,
    sandboxSlug: z.string(),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    source: z.enum(AUDIT_SOURCES),
    status: z.enum(AUDIT_STATUSES),
    attempts: z.int().meta({ description: 'analysis attempts' }),
    riskLevel: z.enum(RISK_LEVELS).optional(),
    violations: z.array(z.string()),
    failureCode: z.enum(FAILURE_CODES).optional(),
    createdAt: isoTime.meta({ description: 'when the audit was accepted' }),
    completedAt: isoTime.optional(),
    durationMs: z.number().optional(),
    erased: z.literal(true).optional(),
  })
  .meta({ id: 'ListedAudit' });
export type ListedAudit = z.output<typeof listedAudit>;

const audit = listedAudit.extend({ steps: z.array(auditStep) }).meta({ id: 'Audit' });
export type Audit = z.output<typeof audit>;

export const ingestAudit = defineRoute({
  ...endpoints.ingestAudit,
  operationId: 'ingestAudit',
  summary: 'Submit a prompt/response pair',
  description: [
    'Returns 202 as soon as the triplet is durable. Analysis follows, usually within seconds.',
    '`data.receipt` is a signed proof of what you submitted. Keep it: it can be verified without the service.',
    '- `prompt` and `response` are texts, or messages `{role, content}` as sent to the model.\n- Base64 files in data URIs or message parts are replaced by `[type; bytes=size; sha256:digest]` before the 2 MiB limit applies. With files, a body can have 16 MiB. The receipt covers the body as sent.\n- `provider` is lower-cased, with `-` for spaces and slashes. Token counts can be strings of digits; fractions are rounded.',
    'Send an `Idempotency-Key` so that a retry after a lost response does not create a second audit. Texts and customFields are encrypted and never shown again.',
  ].join('\n\n'),
  tag: 'Audits',
  auth: 'key',
  body: triplet,
  unknownFields: 'dropped',
  bodyLimitBytes: MAX_SENT_BYTES,
  textLimitBytes: MAX_TRIPLET_BYTES,
  bodyEncodings: ['gzip'],
  idempotent: true,
  successStatus: 202,
  responses: { 202: acceptedAudit },
  errors: [
    'CUSTOM_FIELDS_TOO_LARGE',
    'SANDBOX_NOT_FOUND',
    'SANDBOX_INACTIVE',
    'AUDIT_LIMIT_REACHED',
    'STORAGE_FULL',
    'PARTITION_STOPPED',
  ],
});

export const listAudits = defineRoute({
  ...endpoints.listAudits,
  operationId: 'listAudits',
  summary: 'List audits',
  description:
    'Newest first. Shows what was submitted and the status of its analysis. Results are in the signals. Filters combine with AND.',
  tag: 'Audits',
  auth: 'key',
  costly: 'read',
  query: z
    .object({
      sandboxSlug: nameFilter,
      provider: providerFilter,
      model: nameFilter,
      status: z.enum(AUDIT_STATUSES).optional(),
      riskLevel: riskLevelFilter,
      erased: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .meta({ description: 'true: only audits with an erased signal; false: only the others' }),
      ...dateQuery,
      ...pageQuery,
    })
    .transform(withRange),
  successStatus: 200,
  responses: {
    200: z.object({
      audits: z.array(listedAudit),
      total: z.int(),
      page: z.int(),
      limit: z.int(),
      pagination,
    }),
  },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getAudit = defineRoute({
  ...endpoints.getAudit,
  operationId: 'getAudit',
  summary: 'Get an audit',
  description:
    'Includes its processing steps. `status` goes from QUEUED (or PROCESSING during retries) to COMPLETED or FAILED. With `wait`, the response is held until the status is final or the time is up.',
  tag: 'Audits',
  auth: 'key',
  params: idParams,
  query: z.object({
    wait: queryInteger(0)
      .transform((seconds) => Math.min(seconds, MAX_WAIT_SECONDS))
      .optional()
      .meta({ description: 'seconds to wait for a final status, at most 30' }),
  }),
  successStatus: 200,
  responses: { 200: single(audit) },
  errors: ['NOT_FOUND', 'TOO_MANY_AT_ONCE'],
});
