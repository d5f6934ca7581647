import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { FAILURE_CODES } from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { dateQuery, withRange } from './fields/dates.ts';
import { idParams, isoTime, single, uuid } from './fields/fields.ts';
import { pageQuery, pagination } from './fields/paging.ts';

/** Maximum of dead letters replayed by one call. */
export const MAX_REPLAYS_PER_CALL = 1_000;

export const deadLetter = z
  .object({
    id: uuid.meta({ description: 'the audit id' }),
    auditId: uuid,
    sandboxSlug: z.string(),
    reason: z.enum(FAILURE_CODES),
    attempts: z.int().meta({ description: 'analyses begun, those of earlier replays included' }),
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
    matched: z.int().meta({ description: 'dead letters that match; with a cursor, those behind it' }),
    replayed: z.int().meta({ description: 'dead letters that are queued for analysis again' }),
    skipped: z
      .array(z.object({ auditId: uuid, reason: z.enum(REPLAY_REFUSALS) }))
      .meta({ description: 'dead letters that this call looked at and did not replay' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'send it as `cursor` to go on; null: all that match were looked at' }),
  })
  .meta({ id: 'ReplayOutcome' });
export type ReplayOutcome = z.output<typeof replayOutcome>;

export const listDeadLetters = defineRoute({
  ...endpoints.listDeadLetters,
  operationId: 'listDeadLetters',
  summary: 'Audits that ended FAILED, newest first; filters combine with AND',
  description:
    'Their analysis failed three times, or can never succeed; `reason` says which. They can be replayed for 14 days.',
  tag: 'dead letters',
  auth: 'key',
  costly: 'read',
  query: z.object({ ...conditions, ...dateQuery, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(deadLetter), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

/** Rows of the answer: reasons are few, sandboxes may be many. */
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
  summary: 'How many audits ended FAILED, by reason and sandbox, the most first',
  description: `With the filters of the list. At most ${MAX_REASONS} rows.`,
  tag: 'dead letters',
  auth: 'key',
  costly: 'read',
  query: z.object({ ...conditions, ...dateQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ data: z.array(deadLetterReason).max(MAX_REASONS) }) },
  errors: [],
});

const REPLAYING = `A replay analyses the audit again from the sealed text that was dead-lettered. The audit keeps its id, \
and nothing is added to the ledger until a signal is there. Not replayed are dead letters whose record is no longer kept \
(\`RECORD_GONE\`: dead letters are kept for 14 days), whose text can never be opened again (\`KEY_DESTROYED\`), that are \
being replayed already (\`ALREADY_REPLAYED\`), that are being erased (\`ERASED\`) and that failed a hundred replays (\`REPLAY_LIMIT\`). Any other reason, \
\`UNDECODABLE\` and \`CANNOT_OPEN\` among them, is tried again, for what was missing may be there by now; if it is not, \
the audit fails once more.`;

export const replayDeadLetter = defineRoute({
  ...endpoints.replayDeadLetter,
  operationId: 'replayDeadLetter',
  summary: 'Analyses a dead-lettered audit again',
  description: REPLAYING,
  tag: 'dead letters',
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
  summary: 'Analyses all dead-lettered audits that match again, or only counts them',
  description: `${REPLAYING}\n\nOne call looks at ${MAX_REPLAYS_PER_CALL} dead letters at most, newest first, and costs as \
much as a batch of so many triplets. When more match, the answer carries \`nextCursor\`.`,
  tag: 'dead letters',
  auth: 'key',
  costly: 'replay',
  body: z.object({
    // Elsewhere unknown fields are dropped; here a misspelt condition would replay more than intended.
    filter: z
      .strictObject({ ...conditions, ...dateQuery })
      .transform(withRange)
      .meta({ description: 'all conditions must hold; without any, every dead letter matches' }),
    dryRun: z.boolean().default(false).meta({ description: 'true: only count what matches' }),
    cursor: z.string().min(1).max(512).optional(),
  }),
  idempotent: true,
  successStatus: 202,
  responses: { 202: single(replayOutcome) },
  errors: ['SANDBOX_NOT_FOUND', 'INVALID_CURSOR', 'STORAGE_FULL', 'PARTITION_STOPPED'],
});
