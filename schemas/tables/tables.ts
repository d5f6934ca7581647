import type { RowOf, Table } from './table.ts';

const define = <const Columns extends Readonly<Record<string, string>>>(
  name: string,
  columns: Columns,
  partitions: { readonly monthOf?: keyof Columns & string } = {},
): Table<Columns> => ({ name, columns, ...partitions });

/** Times are DateTime64(3, 'UTC') and read and written as ISO 8601 with milliseconds; hashes and salts are lower-case hex. */
const TIME = "DateTime64(3, 'UTC')";

/** Where in the log a row came from; rows are pure functions of the log up to there. */
const POSITION = { epoch: 'UInt32', partition: 'UInt16', offset: 'UInt64' } as const;

/** Skeleton of every entry, never deleted. */
export const LEDGER = define('ledger', {
  customerId: 'String',
  index: 'UInt64',
  entryId: 'String',
  kind: 'LowCardinality(String)',
  id: 'String',
  v: 'UInt16',
  at: TIME,
  dataHash: 'String',
  coreHash: 'String',
  detailHash: 'String',
  leafHash: 'String',
  previousHash: 'String',
  hash: 'String',
  ...POSITION,
});
export type LedgerRow = RowOf<typeof LEDGER>;

/** Entry id -> index: how the fold tells a repeat, however old. */
export const LEDGER_IDS = define('ledger_ids', {
  customerId: 'String',
  entryId: 'String',
  index: 'UInt64',
  ...POSITION,
});
export type LedgerIdRow = RowOf<typeof LEDGER_IDS>;

/** Content of SIGNAL entries. Revision 0 is the content, a higher one the index of the ERASURE that blanked it. */
export const SIGNALS = define(
  'signals',
  {
    customerId: 'String',
    createdAt: TIME,
    auditId: 'String',
    revision: 'UInt64',
    /** '' | 'DETAIL' | 'ALL' */
    erased: 'LowCardinality(String)',
    v: 'UInt16',
    sandboxId: 'String',
    sandboxSlug: 'LowCardinality(String)',
    provider: 'LowCardinality(String)',
    model: 'LowCardinality(String)',
    region: 'LowCardinality(String)',
    riskLevel: 'LowCardinality(String)',
    violations: 'Array(LowCardinality(String))',
    regulation: 'Array(LowCardinality(String))',
    piiDetected: 'Bool',
    confidence: 'Float64',
    alert: 'Bool',
    policyVersion: 'Nullable(String)',
    source: 'LowCardinality(String)',
    attempts: 'UInt16',
    promptTokens: 'Nullable(UInt64)',
    outputTokens: 'Nullable(UInt64)',
    hasThinkingBlock: 'Bool',
    durationMs: 'Float64',
    acceptedAt: TIME,
    coreSalt: 'String',
    reasoning: 'Nullable(String)',
    /** JSON list of DetectionSummary. */
    detections: 'String',
    payloadDigest: 'Nullable(String)',
    detailSalt: 'String',
    index: 'UInt64',
    previousHash: 'String',
    hash: 'String',
    ...POSITION,
  },
  { monthOf: 'createdAt' },
);
export type SignalRow = RowOf<typeof SIGNALS>;

/** Content of the entries that are not signals: canonical JSON of core and detail. */
export const ENTRIES = define('entries', {
  customerId: 'String',
  index: 'UInt64',
  revision: 'UInt64',
  erased: 'LowCardinality(String)',
  kind: 'LowCardinality(String)',
  id: 'String',
  v: 'UInt16',
  at: TIME,
  core: 'Nullable(String)',
  coreSalt: 'String',
  detail: 'Nullable(String)',
  detailSalt: 'String',
  previousHash: 'String',
  hash: 'String',
  ...POSITION,
});
export type EntryRow = RowOf<typeof ENTRIES>;

/**
 * Indexes of closing ERASUREs: entries after one fold blank. The warehouse fills it from every insert into `entries`; a
 * row above the head that a customer has is of a run that did not reach its commit, and says nothing.
 */
export const CLOSINGS = define('closings', { customerId: 'String', index: 'UInt64' });
export type ClosingRow = RowOf<typeof CLOSINGS>;

/** The audit list. Rows come from topics without mutual order: the highest version wins. */
export const AUDITS = define(
  'audits',
  {
    customerId: 'String',
    acceptedAt: TIME,
    auditId: 'String',
    rank: 'UInt32',
    /** rank x 2^40 + (2^40 - 1 - offset): rank first, then the earlier record wins, whatever the order of inserts. */
    version: 'UInt64',
    sandboxId: 'String',
    sandboxSlug: 'LowCardinality(String)',
    provider: 'LowCardinality(Nullable(String))',
    model: 'LowCardinality(Nullable(String))',
    source: 'LowCardinality(String)',
    status: 'LowCardinality(String)',
    generation: 'UInt32',
    attempts: 'UInt16',
    riskLevel: 'LowCardinality(Nullable(String))',
    violations: 'Array(LowCardinality(String))',
    failureCode: 'LowCardinality(Nullable(String))',
    completedAt: `Nullable(${TIME})`,
    durationMs: 'Nullable(Float64)',
    /** JSON list of {name, at, attempt?, reason?}. */
    steps: 'String',
    erased: 'Bool',
    topic: 'LowCardinality(String)',
    ...POSITION,
  },
  { monthOf: 'acceptedAt' },
);
/** `version` exceeds 2^53: it is inserted as a decimal string and never read back as a number. */
export type AuditRow = Omit<RowOf<typeof AUDITS>, 'version'> & { version: string };

/**
 * Every audit that the audit list ever took in. A view of the warehouse copies it there with each insert into the list;
 * nothing is ever deleted, so that a row which the list lost shows.
 */
export const ACCEPTANCES = define('acceptances', {
  customerId: 'LowCardinality(String)',
  acceptedAt: TIME,
  auditId: 'String',
});

/** Where each partition of the sink stands. */
export const POSITIONS = define('positions', {
  epoch: 'UInt32',
  topic: 'String',
  partition: 'UInt16',
  nextOffset: 'UInt64',
  /** SHA-256 of the last record, hex. */
  lastDigest: 'String',
  lastAt: TIME,
});
export type PositionRow = RowOf<typeof POSITIONS>;

/** Records that are skipped because an operator accepted their loss: a refused one by its digest, or a hole. */
export const SKIPS = define('skips', {
  epoch: 'UInt32',
  topic: 'String',
  partition: 'UInt16',
  offset: 'UInt64',
  /** First offset that is not skipped. */
  untilOffset: 'UInt64',
  /** SHA-256 of the record, hex; of a hole ''. */
  digest: 'String',
  acceptedAt: TIME,
});
export type SkipRow = RowOf<typeof SKIPS>;

/** The log's epoch, also kept in the state: both must agree. */
export const LOG_EPOCHS = define('log_epochs', { epoch: 'UInt32', setUp: 'String', at: TIME });
export type LogEpochRow = RowOf<typeof LOG_EPOCHS>;

/** Records that repeat an entry of another kind than SIGNAL with another content; `coreHash` is the entry's. */
export const CONTRADICTIONS = define('contradictions', {
  ...POSITION,
  customerId: 'String',
  entryId: 'String',
  coreHash: 'String',
  repeatedCoreHash: 'String',
});
export type ContradictionRow = RowOf<typeof CONTRADICTIONS>;

export const TABLES = [
  LEDGER,
  LEDGER_IDS,
  SIGNALS,
  ENTRIES,
  CLOSINGS,
  AUDITS,
  ACCEPTANCES,
  POSITIONS,
  SKIPS,
  LOG_EPOCHS,
  CONTRADICTIONS,
] as const;
