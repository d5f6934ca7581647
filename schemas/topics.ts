/** The topics of the pipeline: key, partitions, retention, who writes, who reads. `pipeline` rules: docs/adr/0002. */

export const PARTITIONS = 12;
const DAY_MS = 86_400_000;

export interface TopicDefinition {
  readonly name: string;
  readonly key: 'auditId' | 'customerId';
  readonly partitions: number;
  readonly retentionMs: number;
  readonly writtenBy: readonly string[];
  readonly readBy: readonly string[];
}

const define = (
  name: string,
  key: TopicDefinition['key'],
  retentionDays: number,
  writtenBy: string[],
  readBy: string[],
): TopicDefinition => ({
  name,
  key,
  partitions: PARTITIONS,
  retentionMs: retentionDays * DAY_MS,
  writtenBy,
  readBy,
});

export const TRIPLETS = define('audit.triplets', 'auditId', 7, ['api'], ['analyzer', 'sink']);
export const RETRY_1 = define('audit.triplets.retry.1', 'auditId', 7, ['analyzer'], ['analyzer', 'sink']);
export const RETRY_2 = define('audit.triplets.retry.2', 'auditId', 7, ['analyzer'], ['analyzer', 'sink']);
export const DEAD_LETTERS = define('audit.triplets.dlq', 'auditId', 14, ['analyzer'], ['sink', 'replay']);
/** The one ordered record per customer. Its partition count never changes: it decides which chain an entry joins. */
export const LEDGER = define(
  'audit.ledger',
  'customerId',
  7,
  ['analyzer', 'api'],
  ['sink', 'correlator', 'notifier'],
);
export const CORRELATIONS = define('audit.correlations', 'customerId', 7, ['correlator'], ['sink']);

export const TOPICS: readonly TopicDefinition[] = [
  TRIPLETS,
  RETRY_1,
  RETRY_2,
  DEAD_LETTERS,
  LEDGER,
  CORRELATIONS,
];

/** Consumer groups of this release. A topic may name those of a later one too: they hold nothing back yet. */
export const GROUPS = ['analyzer', 'sink'] as const;
export type Group = (typeof GROUPS)[number];

/**
 * True when clients alone fill the topic. Where space is short these records are refused first: all others come from
 * what was accepted already, and space is only freed by going on with it.
 */
export const isIntake = ({ writtenBy }: TopicDefinition): boolean =>
  writtenBy.every((writer) => writer === 'api');

/**
 * The groups without whose commit a record of the topic may not go before its age. Null when it may not go at all: replays
 * read dead letters by their place for as long as these are kept.
 */
export const holdersOf = ({ readBy }: TopicDefinition): readonly Group[] | null =>
  readBy.includes('replay') ? null : GROUPS.filter((group) => readBy.includes(group));

/** Largest record, in bytes, that any topic takes (Kafka's `max.message.bytes`). */
export const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Delay in ms before each retry topic's records are due. */
export const RETRY_DELAYS_MS: Readonly<Record<string, number>> = {
  [RETRY_1.name]: 1_000,
  [RETRY_2.name]: 4_000,
};

/**
 * Headers of every audit record, all strings. They make each row built from a record whole, and give a record
 * whose body cannot be read an owner. `steps` is the JSON list of what happened so far
 * (`[{name, at, attempt?, reason?}]`), which never carries text of the audit.
 */
export interface AuditHeaders {
  auditId: string;
  customerId: string;
  sandboxId: string;
  sandboxSlug: string;
  provider: string;
  model: string;
  /** ISO 8601 UTC with milliseconds. */
  acceptedAt: string;
  source: 'INGEST' | 'INTERNAL';
  /** Replay generation, from "0". */
  generation: string;
  /** The analysis that comes next, from "1" ("0": none, an INTERNAL signal). */
  attempt: string;
  /** Name of the Avro schema of the value. */
  schema: string;
  steps: string;
}

/** Headers added to retry and dead-letter records. */
export interface FailureHeaders {
  'x-due-ts'?: string;
  'x-first-failure-ts': string;
  'x-failure-code': string;
  'x-error-class': string;
  'x-error-stage': string;
  'x-original-topic': string;
  'x-original-partition': string;
  'x-original-offset': string;
  'x-original-timestamp': string;
}
