import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { STOP_KINDS } from '../vocabulary.ts';
import { defineRoute } from './contract.ts';
import { displayName, hash, isoTime, single } from './fields/fields.ts';

const offset = z
  .int()
  .nonnegative()
  .max(2 ** 53 - 1);
const topicPartition = { topic: z.string(), partition: z.int() };

export const stoppedPartition = z
  .object({
    ...topicPartition,
    group: z.string().meta({ description: 'consumer group that is stopped' }),
    kind: z.enum(STOP_KINDS),
    reason: z.string().meta({ description: 'specific reason, e.g. CORE_HASH' }),
    since: isoTime,
    offset: offset
      .nullable()
      .meta({ description: 'offset of the faulty record, or of the first missing one' }),
    untilOffset: offset
      .nullable()
      .meta({ description: 'for a gap: first offset after it; null: the log ends before it' }),
    message: z.string().meta({ description: 'what happened and what to do' }),
    acceptable: z.boolean().meta({ description: 'whether the loss can be accepted' }),
  })
  .meta({ id: 'StoppedPartition' });
export type StoppedPartition = z.output<typeof stoppedPartition>;

export const shownLoss = z
  .object({
    epoch: z.int(),
    ...topicPartition,
    offset,
    untilOffset: offset.meta({ description: 'first offset that is not lost' }),
    digest: z.string().meta({ description: 'SHA-256 of the record, hex; empty: records are missing' }),
    cause: z.string().meta({ description: 'why the partition was stopped' }),
    reason: z.string().meta({ description: 'reason given by the operator' }),
    acceptedAt: isoTime,
    acceptedBy: z.string(),
    entryId: z
      .string()
      .nullable()
      .meta({ description: 'entry about the loss in the ledger of the customer' }),
  })
  .meta({ id: 'AcceptedLoss' });
export type ShownLoss = z.output<typeof shownLoss>;

export const stoppedRecord = z
  .object({
    offset,
    timestamp: isoTime.meta({ description: 'time of the append' }),
    key: z.string(),
    headers: z.record(z.string(), z.string()),
    valueBytes: z.int(),
    digest: hash.meta({ description: 'digest of the record and its offset; required to accept its loss' }),
    kind: z.string().nullable().meta({ description: 'only for ledger entries that can be decoded' }),
    id: z.string().nullable(),
  })
  .meta({ id: 'StoppedRecord' });

export const shownPartition = z.object({
  ...topicPartition,
  stops: z.array(stoppedPartition),
  record: stoppedRecord.nullable().meta({ description: 'the faulty record, without its content' }),
});
export type ShownPartition = z.output<typeof shownPartition>;

export const savedRecord = z.object({
  ...topicPartition,
  offset,
  timestamp: isoTime,
  key: z.string(),
  headers: z.record(z.string(), z.string()),
  digest: hash,
  valueBase64: z.string().meta({ description: 'bytes as stored in the event log; texts are encrypted' }),
});
export type SavedRecord = z.output<typeof savedRecord>;

export const newLoss = z.object({
  offset,
  digest: hash.optional().meta({ description: 'digest of the record; omit if records are missing' }),
  reason: z.string().min(1).max(1_000),
  acceptedBy: displayName.default('operator'),
});
export type NewLoss = z.output<typeof newLoss>;

const internal = { auth: 'internal', successStatus: 200 } as const;
const params = z.object({
  topic: z.string().meta({ description: 'Topic of the event log' }),
  partition: z.string().meta({ description: 'Partition number, from 0' }),
});

export const listStoppedPartitions = defineRoute({
  ...internal,
  ...endpoints.listStoppedPartitions,
  operationId: 'listStoppedPartitions',
  summary: 'List stopped partitions',
  description:
    'Includes accepted losses. A stopped partition checks every 30 seconds and resumes once the cause is fixed. Other partitions continue. Entries of dead processes disappear after 90 seconds.',
  tag: 'Partitions',
  responses: { 200: z.object({ data: z.array(stoppedPartition), losses: z.array(shownLoss) }) },
  errors: [],
});

export const getStoppedPartition = defineRoute({
  ...internal,
  ...endpoints.getStoppedPartition,
  operationId: 'getStoppedPartition',
  summary: 'Get a stopped partition',
  description:
    'Returns offset, key, headers, size and digest of the record that stops it, but not its content.',
  tag: 'Partitions',
  params,
  noStore: true,
  responses: { 200: single(shownPartition) },
  errors: ['NOT_FOUND', 'PARTITION_NOT_STOPPED'],
});

export const getStoppedRecord = defineRoute({
  ...internal,
  ...endpoints.getStoppedRecord,
  operationId: 'getStoppedRecord',
  summary: 'Download the record that stops a partition',
  description: 'Returns its bytes as stored in the event log. Encrypted content stays encrypted.',
  tag: 'Partitions',
  params,
  noStore: true,
  responses: { 200: single(savedRecord) },
  errors: ['NOT_FOUND', 'PARTITION_NOT_STOPPED'],
});

export const acceptLoss = defineRoute({
  ...internal,
  ...endpoints.acceptLoss,
  operationId: 'acceptLoss',
  summary: 'Accept a loss and resume a partition',
  description: [
    'Accepts the loss of a record that cannot be stored (named by `digest`), or of missing records. Too many failed audits and a rejected start have to be fixed instead.',
    'The record is skipped permanently, and the ledger of its customer gets an entry of kind `EVIDENCE_EVENT`. A retry returns the loss accepted first. This cannot be undone.',
  ].join('\n\n'),
  tag: 'Partitions',
  params,
  body: newLoss,
  responses: { 200: single(shownLoss) },
  errors: ['NOT_FOUND', 'PARTITION_NOT_STOPPED', 'LOSS_NOT_ACCEPTABLE', 'RECORD_DIFFERS'],
});
