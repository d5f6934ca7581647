import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { MAX_SENT_BYTES, triplet } from './audits.ts';
import { defineRoute } from './contract.ts';
import { errorBody } from './errors.ts';
import { hash, uuid } from './fields/fields.ts';

export const MAX_BATCH_ITEMS = 1_000;
/** Items per rate-limit token, rounded up. */
export const ITEMS_PER_RATE_TOKEN = 100;

export const NDJSON = 'application/x-ndjson';

const itemError = z.object({
  statusCode: z.int(),
  code: z.string(),
  message: z.string(),
});

const index = z.int().min(0).meta({ description: 'index in the batch, from 0; empty lines do not count' });
const itemResult = z.union([
  z.object({ index, auditId: uuid, status: z.literal('QUEUED') }),
  z.object({ index, error: itemError }),
]);

const counts = {
  accepted: z.int(),
  rejected: z.int(),
  data: z.array(itemResult).meta({ description: 'one result per item, in the order of the batch' }),
};

/** At least one item was accepted. For items with statusCode 503, retry the whole batch with its key. */
const acceptedBatch = z.object({
  success: z.literal(true),
  ...counts,
  nonce: hash.meta({
    description:
      'payloadDigest of an item = SHA-256 over this nonce and the canonical JSON of the item as sent',
  }),
});
export type AcceptedBatch = z.output<typeof acceptedBatch>;

const refusedBatch = z.object({ success: z.literal(false), ...counts });
export type RefusedBatch = z.output<typeof refusedBatch>;

export const ingestBatch = defineRoute({
  ...endpoints.ingestBatch,
  operationId: 'ingestBatch',
  summary: 'Submit up to 1,000 prompt/response pairs',
  description: [
    'Send a JSON array, or NDJSON with one triplet per line. Items follow the rules of `POST /audit/ingest`.',
    '`data` has one result per item, in order: its `auditId` or its error. The status is 202 if at least one item was accepted, otherwise 400 with the same body.',
    'Each accepted item counts as one audit. The batch costs one request of the rate limit per 100 items or 512 KiB, whichever is more. One `Idempotency-Key` covers the whole batch.',
  ].join('\n\n'),
  tag: 'Audits',
  auth: 'key',
  body: z.array(triplet).min(1).max(MAX_BATCH_ITEMS),
  bodyLimitBytes: MAX_SENT_BYTES,
  bodyEncodings: ['gzip'],
  bodyTypes: ['application/json', NDJSON],
  unknownFields: 'dropped',
  rawBody: true,
  idempotent: true,
  successStatus: 202,
  responses: { 202: acceptedBatch, 400: z.union([refusedBatch, errorBody]) },
  retryAfter: [202, 400],
  errors: ['AUDIT_LIMIT_REACHED', 'STORAGE_FULL', 'PARTITION_STOPPED'],
});
