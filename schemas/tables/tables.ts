import { typesOf } from '../ledger/columns.ts';
import { SIGNAL_CORE, SIGNAL_DETAIL } from '../ledger/signal-columns.ts';
import { TIME } from '../time.ts';
import { ERASED_RANK } from './audit-ranks.ts';
import type { Erasure, RowOf, Table } from './table.ts';

const define = <const Columns extends Readonly<Record<string, string>>>(
  name: string,
  erasure: Erasure,
  columns: Columns,
  partitions: { readonly monthOf?: keyof Columns & string } = {},
): Table<Columns> => ({ name, erasure, columns, ...partitions });

const kept = (because: string): Erasure => ({ by: 'NOTHING', because });
const PROOF = kept('hashes, ids and times, by which the chain is proved after an erasure as before it');
const PLACES = kept('places of the log, and nothing of a customer');
/** For content: revision 0 is the content, a higher one the index of the ERASURE that blanked it. */
const revised = (key: readonly string[], isClear: string): Erasure => ({
  by: 'TOMBSTONES',
  key,
  level: 'revision',
  tombstoneFrom: 1,
  isTombstone: "erased != ''",
  isClear,
});

/**
 * A row's source in the log; rows are pure functions of the log up to there. In all tables, hashes and salts are
 * lower-case hex.
 */
const POSITION = { epoch: 'UInt32', partition: 'UInt16', offset: 'UInt64' } as const;

/** Skeleton of every entry, never deleted. */
export const LEDGER = define('ledger', PROOF, {
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

/** Entry id -> index, which the fold uses to recognise repeats of any age. */
export const LEDGER_IDS = define('ledger_ids', PROOF, {
  customerId: 'String',
  entryId: 'String',
  index: 'UInt64',
  ...POSITION,
});
export type LedgerIdRow = RowOf<typeof LEDGER_IDS>;

const { createdAt, auditId, ...core } = typesOf(SIGNAL_CORE);

/** Content of SIGNAL entries, with a column for each field of any version. */
export const SIGNALS = define(
  'signals',
  revised(['customerId', 'createdAt', 'auditId'], "erased != 'ALL'"),
  {
    customerId: 'String',
    createdAt,
    auditId,
    revision: 'UInt64',
    /** '' | 'DETAIL' | 'ALL' */
    erased: 'LowCardinality(String)',
    v: 'UInt16',
    ...core,
    coreSalt: 'String',
    ...typesOf(SIGNAL_DETAIL),
    detailSalt: 'String',
    index: 'UInt64',
    previousHash: 'String',
    hash: 'String',
    ...POSITION,
  },
  { monthOf: 'createdAt' },
);
export type SignalRow = RowOf<typeof SIGNALS>;

/** Content of all other entries: canonical JSON of core and detail. */
export const ENTRIES = define(
  'entries', // An ERASURE keeps its core.
  revised(['customerId', 'index'], "kind != 'ERASURE' AND erased != 'ALL'"),
  {
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
  },
);
export type EntryRow = RowOf<typeof ENTRIES>;

/**
 * Indexes of closing ERASUREs: entries after one fold blank. Filled by a view from every insert into `entries`; a row
 * above a customer's head comes from an uncommitted run and is ignored.
 */
export const CLOSINGS = define('closings', PROOF, { customerId: 'String', index: 'UInt64' });
export type ClosingRow = RowOf<typeof CLOSINGS>;

/** The audit list. Rows come from topics without a common order: the highest version wins. */
export const AUDITS = define(
  'audits',
  {
    by: 'TOMBSTONES',
    key: ['customerId', 'acceptedAt', 'auditId'],
    level: 'rank',
    tombstoneFrom: ERASED_RANK,
    isTombstone: 'erased',
    isClear: `rank < ${ERASED_RANK}`,
  },
  {
    customerId: 'String',
    acceptedAt: TIME,
    auditId: 'String',
    rank: 'UInt32',
    /** rank x 2^40 + (2^40 - 1 - offset): rank first, then the earlier record wins, in any order of inserts. */
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
 * Every audit that has ever been in the audit list. A view copies it with each insert into the list; nothing is ever
 * deleted, so that a row lost from the list is noticed.
 */
export const ACCEPTANCES = define(
  'acceptances',
  kept('ids and times, by which an audit that is missing shows'),
  {
    customerId: 'LowCardinality(String)',
    acceptedAt: TIME,
    auditId: 'String',
  },
);

/** The sink's position in each partition. */
export const POSITIONS = define('positions', PLACES, {
  epoch: 'UInt32',
  topic: 'String',
  partition: 'UInt16',
  nextOffset: 'UInt64',
  /** SHA-256 of the last record, hex. */
  lastDigest: 'String',
  lastAt: TIME,
});
export type PositionRow = RowOf<typeof POSITIONS>;

/** Records skipped because an operator accepted their loss: a refused record, identified by its digest, or a gap. */
export const SKIPS = define('skips', PLACES, {
  epoch: 'UInt32',
  topic: 'String',
  partition: 'UInt16',
  offset: 'UInt64',
  /** First offset that is not skipped. */
  untilOffset: 'UInt64',
  /** SHA-256 of the record, hex; '' for a gap. */
  digest: 'String',
  acceptedAt: TIME,
});
export type SkipRow = RowOf<typeof SKIPS>;

/** The log's epoch, also kept in the state: both must agree. */
export const LOG_EPOCHS = define('log_epochs', PLACES, { epoch: 'UInt32', setUp: 'String', at: TIME });

/** Records that repeat an entry of any kind but SIGNAL with different content; `coreHash` is the entry's. */
export const CONTRADICTIONS = define('contradictions', PROOF, {
  ...POSITION,
  customerId: 'String',
  entryId: 'String',
  coreHash: 'String',
  repeatedCoreHash: 'String',
});
export type ContradictionRow = RowOf<typeof CONTRADICTIONS>;

/** Roots of complete subtrees of a customer's tree: `2 ** height` leaves starting at `index * 2 ** height`. */
export const SUBTREES = define('subtrees', PROOF, {
  customerId: 'String',
  height: 'UInt8',
  index: 'UInt64',
  hash: 'String',
});
export type SubtreeRow = RowOf<typeof SUBTREES>;

/**
 * Signed checkpoints of customers' trees, written by the API before it releases a note; `epoch` is 0 unless a loss of
 * the log was accepted. Hashes in lower-case hex.
 */
export const CHECKPOINTS = define('checkpoints', PROOF, {
  customerId: 'String',
  size: 'UInt64',
  root: 'String',
  chainHead: 'String',
  epoch: 'UInt32',
  issuedAt: TIME,
});
export type CheckpointRow = RowOf<typeof CHECKPOINTS>;

/**
 * Patterns over many signals, as of the latest entry that changed each: the highest version of an id counts. A row
 * written for an erasure has the ERASURE's version.
 */
export const CORRELATIONS = define(
  'correlations',
  { by: 'DELETION' },
  {
    customerId: 'String',
    id: 'String',
    version: 'UInt64',
    foundAt: TIME,
    changedAt: TIME,
    type: 'LowCardinality(String)',
    status: 'LowCardinality(String)',
    score: 'Float64',
    riskLevel: 'LowCardinality(String)',
    /** JSON: `StoredPattern` and `CorrelationSettings` of core/correlate. */
    pattern: 'String',
    settings: 'String',
  },
);
export type CorrelationRow = RowOf<typeof CORRELATIONS>;

/** Progress of the correlation fold of a customer's signals: the highest version counts. */
export const CORRELATION_SNAPSHOTS = define(
  'correlation_snapshots',
  { by: 'DELETION' },
  {
    customerId: 'String',
    /** epoch x 2^40 + next: a newer epoch wins, and within an epoch the snapshot that is further along. */
    version: 'UInt64',
    epoch: 'UInt32',
    /** Index of the next entry. */
    next: 'UInt64',
    /** Chain hash at the previous entry, lower-case hex. */
    hash: 'String',
    /** JSON of a `FoldSnapshot` (core/correlate). */
    snapshot: 'String',
  },
);
export type CorrelationSnapshotRow = RowOf<typeof CORRELATION_SNAPSHOTS>;

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
  SUBTREES,
  CHECKPOINTS,
  CORRELATIONS,
  CORRELATION_SNAPSHOTS,
] as const;
