import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { STOP_KINDS } from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { displayName, hash, isoTime, single } from './fields/fields.ts';

const offset = z
  .int()
  .nonnegative()
  .max(2 ** 53 - 1);
const place = { topic: z.string(), partition: z.int() };

export const stoppedPartition = z
  .object({
    ...place,
    group: z.string().meta({ description: 'the consumer group that is stopped there' }),
    kind: z.enum(STOP_KINDS),
    reason: z.string().meta({ description: 'more exactly why, such as CORE_HASH' }),
    since: isoTime,
    offset: offset.nullable().meta({ description: 'record at fault, or the first one that is missing' }),
    untilOffset: offset
      .nullable()
      .meta({ description: 'of a hole: the first record behind it; null: the log ends before the hole' }),
    message: z.string().meta({ description: 'what happened and what to do' }),
    acceptable: z.boolean().meta({ description: 'whether the loss of what stops it can be accepted' }),
  })
  .meta({ id: 'StoppedPartition' });
export type StoppedPartition = z.output<typeof stoppedPartition>;

export const shownLoss = z
  .object({
    epoch: z.int(),
    ...place,
    offset,
    untilOffset: offset.meta({ description: 'first offset that is not lost' }),
    digest: z.string().meta({ description: 'SHA-256 of the record, hex; empty: records were missing' }),
    cause: z.string().meta({ description: 'what had stopped the partition' }),
    reason: z.string().meta({ description: 'as the operator gave it' }),
    acceptedAt: isoTime,
    acceptedBy: z.string(),
    entryId: z
      .string()
      .nullable()
      .meta({ description: 'entry that tells of it in the ledger of the customer whose record it was' }),
  })
  .meta({ id: 'AcceptedLoss' });
export type ShownLoss = z.output<typeof shownLoss>;

export const stoppedRecord = z
  .object({
    offset,
    timestamp: isoTime.meta({ description: 'when the log took it' }),
    key: z.string(),
    headers: z.record(z.string(), z.string()),
    valueBytes: z.int(),
    digest: hash.meta({ description: 'of the record and where it lies; accepting its loss names it' }),
    kind: z.string().nullable().meta({ description: 'of a ledger entry that can be decoded' }),
    id: z.string().nullable(),
  })
  .meta({ id: 'StoppedRecord' });

export const shownPartition = z.object({
  ...place,
  stops: z.array(stoppedPartition),
  record: stoppedRecord.nullable().meta({ description: 'the record at fault, without its content' }),
});
export type ShownPartition = z.output<typeof shownPartition>;

export const savedRecord = z.object({
  ...place,
  offset,
  timestamp: isoTime,
  key: z.string(),
  headers: z.record(z.string(), z.string()),
  digest: hash,
  valueBase64: z.string().meta({ description: 'the bytes as the log holds them; text in them is sealed' }),
});
export type SavedRecord = z.output<typeof savedRecord>;

export const newLoss = z.strictObject({
  offset,
  digest: hash.optional().meta({ description: 'of the record; leave it out when records are missing' }),
  reason: z.string().min(1).max(1_000),
  acceptedBy: displayName.default('operator'),
});
export type NewLoss = z.output<typeof newLoss>;

const internal = { tag: 'internal', auth: 'internal', successStatus: 200 } as const;
const params = z.object({
  topic: z.string().meta({ description: 'a topic of the log' }),
  partition: z.string().meta({ description: 'number of a partition, from 0' }),
});

export const listStoppedPartitions = defineRoute({
  ...internal,
  ...endpoints.listStoppedPartitions,
  operationId: 'listStoppedPartitions',
  summary: 'Partitions that cannot go on, and losses that were accepted',
  description:
    'A stopped partition looks again every half minute and goes on by itself once what stops it is mended. The others work ' +
    'meanwhile. A note of one is renewed at every look and goes after a minute and a half, so that of a process that died stays no longer.',
  responses: { 200: z.object({ data: z.array(stoppedPartition), losses: z.array(shownLoss) }) },
  errors: [],
});

export const getStoppedPartition = defineRoute({
  ...internal,
  ...endpoints.getStoppedPartition,
  operationId: 'getStoppedPartition',
  summary: 'What stops one partition',
  description: 'Of the record at fault its place, key, headers, size and digest; never what it holds.',
  params,
  noStore: true,
  responses: { 200: single(shownPartition) },
  errors: ['NOT_FOUND', 'PARTITION_NOT_STOPPED'],
});

export const getStoppedRecord = defineRoute({
  ...internal,
  ...endpoints.getStoppedRecord,
  operationId: 'getStoppedRecord',
  summary: 'The record that stops a partition, to be stored aside',
  description: 'Its bytes as the log holds them, sealed where they are sealed.',
  params,
  noStore: true,
  responses: { 200: single(savedRecord) },
  errors: ['NOT_FOUND', 'PARTITION_NOT_STOPPED'],
});

export const acceptLoss = defineRoute({
  ...internal,
  ...endpoints.acceptLoss,
  operationId: 'acceptLoss',
  summary: 'Accepts the loss of what stops a partition, so that it goes on; there is no way back',
  description:
    'For a record that cannot be stored, which `digest` names, and for records that are missing. Too many dead letters and a ' +
    'refused start are mended instead. The record is skipped for ever, by every release. The ledger of the customer whose ' +
    'key it carries tells of it with an entry of kind `EVIDENCE_EVENT`. Sent again, it answers with what was accepted first.',
  params,
  body: newLoss,
  responses: { 200: single(shownLoss) },
  errors: ['NOT_FOUND', 'PARTITION_NOT_STOPPED', 'LOSS_NOT_ACCEPTABLE', 'RECORD_DIFFERS'],
});
