/**
 * The topics of the pipeline: key, partitions, retention, writers, readers. `pipeline` rules:
 * docs/adr/0002-fold-the-log-deterministically.md.
 */

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
/**
 * The only ordered record per customer. Its partition count never changes, because it decides which chain an entry
 * joins.
 */
export const LEDGER = define('audit.ledger', 'customerId', 7, ['analyzer', 'api'], ['sink']);
/**
 * Folded entries. Only the sink reads the ledger: of several records with one entry id, only the fold knows which one
 * won.
 */
export const SIGNALS = define('audit.signals', 'customerId', 7, ['sink'], ['policies', 'correlator']);
/** Patterns over many signals. */
export const CORRELATIONS = define('audit.correlations', 'customerId', 7, ['correlator'], ['findings']);

export const TOPICS: readonly TopicDefinition[] = [
  TRIPLETS,
  RETRY_1,
  RETRY_2,
  DEAD_LETTERS,
  LEDGER,
  SIGNALS,
  CORRELATIONS,
];

/** Consumer groups of this release. A topic may also name later groups, which do not delay deletions yet. */
export const GROUPS = ['analyzer', 'sink', 'policies', 'correlator', 'findings'] as const;
type Group = (typeof GROUPS)[number];

/** Groups whose names differ from their roles. */
const ROLES: Readonly<Record<string, string>> = { policies: 'correlator', findings: 'sink' };

/** The role whose processes are members of a group. */
export const roleOfGroup = (group: string): string => ROLES[group] ?? group;

/**
 * Whether only clients fill the topic. When space is short, these records are refused first: all others derive from
 * accepted ones, and only processing those frees space.
 */
export const isIntake = ({ writtenBy }: TopicDefinition): boolean =>
  writtenBy.every((writer) => writer === 'api');

/**
 * The groups that must have committed a record before it may be deleted ahead of its retention. Null if it must not be
 * deleted early at all: replays read dead letters by offset for as long as they are retained.
 */
export const holdersOf = ({ readBy }: TopicDefinition): readonly Group[] | null =>
  readBy.includes('replay') ? null : GROUPS.filter((group) => readBy.includes(group));

/** Largest record, in bytes, that any topic accepts (Kafka's `max.message.bytes`). */
export const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Delay in ms before each retry topic's records are due. */
export const RETRY_DELAYS_MS: Readonly<Record<string, number>> = {
  [RETRY_1.name]: 1_000,
  [RETRY_2.name]: 4_000,
};

/**
 * Headers of every audit record, all strings. They complete each row built from a record, and identify the owner of a
 * record whose body cannot be read. `steps` is the JSON list of processing steps so far (`[{name, at, attempt?,
 * reason?}]`), which never contains text of the audit.
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
  /** Number of the next analysis attempt, from "1" ("0" for an INTERNAL signal, which is not analysed). */
  attempt: string;
  /** Name of the Avro schema of the value. */
  schema: string;
  steps: string;
}

/** Headers of a record of `SIGNALS`, so that records without relevant entries are never decoded; all decimal. */
export interface FoldedHeaders {
  /** Index of its first and its last entry. */
  first: string;
  last: string;
  /** Number of its entries that are not signals. */
  others: string;
  /** The log's epoch when they were folded. */
  epoch: string;
  /** Name of the Avro schema of the value. */
  schema: string;
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
