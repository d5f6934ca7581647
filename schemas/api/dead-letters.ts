import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { FAILURE_CODES } from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { dateQuery, withRange } from './fields/dates.ts';
import { idParams, isoTime, single, uuid } from './fields/fields.ts';
import { pageQuery, pagination } from './fields/paging.ts';

/** Maximum number of dead letters replayed by one call. */
export const MAX_REPLAYS_PER_CALL = 1_000;

export const deadLetter = z
  .object({
    id: uuid.meta({ description: 'the audit id' }),
    auditId: uuid,
    sandboxSlug: z.string(),
    reason: z.enum(FAILURE_CODES),
    attempts: z.int().meta({ description: 'analysis attempts, including earlier replays' }),
    at: isoTime.meta({ description: 'when the audit ended FAILED' }),
  })
  .meta({ id: 'DeadLetter' });
export type DeadLetter = z.output<typeof deadLetter>;

const slug = z.string().min(1).max(128).optional();
const conditions = { sandboxSlug: slug, reason: z.enum(FAILURE_CODES).optional() };

/** Why a dead letter was not replayed. */
export const REPLAY_REFUSALS = [
  'ALREADY_REPLAYED',
  'KEY_DESTROYED',
  'RECORD_GONE',
  'REPLAY_LIMIT',
  'ERASED',
] as const;
export type ReplayRefusal = (typeof REPLAY_REFUSALS)[number];

export const replayOutcome = z
  .object({
    matched: z.int().meta({ description: 'matching dead letters; with a cursor, those after it' }),
    replayed: z.int().meta({ description: 'dead letters queued for analysis' }),
    skipped: z
      .array(z.object({ auditId: uuid, reason: z.enum(REPLAY_REFUSALS) }))
      .meta({ description: 'dead letters that this call checked but did not replay' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'send as `cursor` to continue; null: no more matches' }),
  })
  .meta({ id: 'ReplayOutcome' });
export type ReplayOutcome = z.output<typeof replayOutcome>;

export const listDeadLetters = defineRoute({
  ...endpoints.listDeadLetters,
  operationId: 'listDeadLetters',
  summary: 'List failed audits',
  description:
    'Newest first. Their analysis failed three times, or can never succeed; see `reason`. They can be replayed for 14 days. Filters combine with AND.',
  tag: 'Failed audits',
  auth: 'key',
  costly: 'read',
  query: z.object({ ...conditions, ...dateQuery, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(deadLetter), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

/** Maximum number of rows in the response: reasons are few, sandboxes may be many. */
export const MAX_REASONS = 1_000;

const deadLetterReason = z
  .object({
    reason: z.enum(FAILURE_CODES),
    sandboxSlug: z.string(),
    count: z.int().positive(),
    oldestAt: isoTime.meta({ description: 'when the first of them ended FAILED' }),
  })
  .meta({ id: 'DeadLetterReason' });
export type DeadLetterReason = z.output<typeof deadLetterReason>;

export const listDeadLetterReasons = defineRoute({
  ...endpoints.listDeadLetterReasons,
  operationId: 'listDeadLetterReasons',
  summary: 'Count failed audits by reason',
  description: `Grouped by reason and sandbox, largest first, with the filters of the list. At most ${MAX_REASONS} rows.`,
  tag: 'Failed audits',
  auth: 'key',
  costly: 'read',
  query: z.object({ ...conditions, ...dateQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(deadLetterReason).max(MAX_REASONS) }) },
  errors: [],
});

const REPLAYING = `Analyzes the audit again from its encrypted text. The audit keeps its id, and the ledger gets an entry only for a new signal. \
Not replayed: records that expired after 14 days (\`RECORD_GONE\`), that cannot be decrypted any more (\`KEY_DESTROYED\`), \
that are being replayed (\`ALREADY_REPLAYED\`) or erased (\`ERASED\`), or that failed 100 replays (\`REPLAY_LIMIT\`). All \
others are tried again, including \`UNDECODABLE\` and \`CANNOT_OPEN\`, and fail again if the cause remains.`;

export const replayDeadLetter = defineRoute({
  ...endpoints.replayDeadLetter,
  operationId: 'replayDeadLetter',
  summary: 'Replay a failed audit',
  description: REPLAYING,
  tag: 'Failed audits',
  auth: 'key',
  costly: 'replay',
  params: idParams,
  idempotent: true,
  successStatus: 202,
  responses: { 202: single(replayOutcome) },
  errors: ['NOT_FOUND', 'STORAGE_FULL', 'PARTITION_STOPPED'],
});

export const replayDeadLetters = defineRoute({
  ...endpoints.replayDeadLetters,
  operationId: 'replayDeadLetters',
  summary: 'Replay failed audits',
  description: `${REPLAYING}\n\nOne call checks at most ${MAX_REPLAYS_PER_CALL} dead letters, newest first, and costs as \
much of the rate limit as a batch of that many triplets. If more match, the response has \`nextCursor\`. With \`dryRun\`, \
it only counts.`,
  tag: 'Failed audits',
  auth: 'key',
  costly: 'replay',
  body: z.object({
    filter: z
      .object({ ...conditions, ...dateQuery })
      .transform(withRange)
      .meta({ description: 'conditions combine with AND; without any, all dead letters match' }),
    dryRun: z.boolean().default(false).meta({ description: 'true: only count what matches' }),
    cursor: z.string().min(1).max(512).optional(),
  }),
  idempotent: true,
  successStatus: 202,
  responses: { 202: single(replayOutcome) },
  errors: ['SANDBOX_NOT_FOUND', 'INVALID_CURSOR', 'STORAGE_FULL', 'PARTITION_STOPPED'],
});
