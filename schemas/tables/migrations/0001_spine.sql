-- The spine's tables. Column lists stand in schemas/tables/tables.ts, and a test compares both with system.columns.
-- fsync settings: an answered insert survives a power loss. No deduplication window: the fold makes repeats harmless,
-- and a deduplication log is not crash-safe on a table that is not replicated.

-- the skeleton of every ledger entry, never deleted
CREATE TABLE IF NOT EXISTS ledger ${ON_CLUSTER}
(
  customerId String,
  `index` UInt64,
  entryId String,
  kind LowCardinality(String),
  id String,
  v UInt16,
  at DateTime64(3, 'UTC'),
  dataHash String CODEC(ZSTD(1)),
  coreHash String CODEC(ZSTD(1)),
  detailHash String CODEC(ZSTD(1)),
  leafHash String CODEC(ZSTD(1)),
  previousHash String CODEC(ZSTD(1)),
  hash String CODEC(ZSTD(1)),
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, `index`)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

-- entry id -> index; small granules, because single ids are looked up
CREATE TABLE IF NOT EXISTS ledger_ids ${ON_CLUSTER}
(
  customerId String,
  entryId String,
  `index` UInt64,
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, entryId)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0, index_granularity = 512;

-- customer first: every read names one; then time, which lists and filters go by
CREATE TABLE IF NOT EXISTS signals ${ON_CLUSTER}
(
  customerId String,
  createdAt DateTime64(3, 'UTC'),
  auditId String,
  revision UInt64,
  erased LowCardinality(String),
  v UInt16,
  sandboxId String,
  sandboxSlug LowCardinality(String),
  provider LowCardinality(String),
  model LowCardinality(String),
  region LowCardinality(String),
  riskLevel LowCardinality(String),
  violations Array(LowCardinality(String)),
  regulation Array(LowCardinality(String)),
  piiDetected Bool,
  confidence Float64,
  alert Bool,
  policyVersion Nullable(String),
  source LowCardinality(String),
  attempts UInt16,
  promptTokens Nullable(UInt64),
  outputTokens Nullable(UInt64),
  hasThinkingBlock Bool,
  durationMs Float64,
  acceptedAt DateTime64(3, 'UTC'),
  coreSalt String CODEC(ZSTD(1)),
  reasoning Nullable(String),
  detections String,
  payloadDigest Nullable(String),
  detailSalt String CODEC(ZSTD(1)),
  `index` UInt64,
  previousHash String CODEC(ZSTD(1)),
  hash String CODEC(ZSTD(1)),
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64,
  INDEX byIndex `index` TYPE minmax GRANULARITY 1,
  INDEX byAuditId auditId TYPE bloom_filter(0.001) GRANULARITY 4
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(createdAt)
ORDER BY (customerId, createdAt, auditId)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

-- content of the entries that are not signals
CREATE TABLE IF NOT EXISTS entries ${ON_CLUSTER}
(
  customerId String,
  `index` UInt64,
  revision UInt64,
  erased LowCardinality(String),
  kind LowCardinality(String),
  id String,
  v UInt16,
  at DateTime64(3, 'UTC'),
  core Nullable(String),
  coreSalt String CODEC(ZSTD(1)),
  detail Nullable(String),
  detailSalt String CODEC(ZSTD(1)),
  previousHash String CODEC(ZSTD(1)),
  hash String CODEC(ZSTD(1)),
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (customerId, `index`)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

-- the audit list; the highest version of an audit wins
CREATE TABLE IF NOT EXISTS audits ${ON_CLUSTER}
(
  customerId String,
  acceptedAt DateTime64(3, 'UTC'),
  auditId String,
  rank UInt32,
  version UInt64,
  sandboxId String,
  sandboxSlug LowCardinality(String),
  provider LowCardinality(Nullable(String)),
  model LowCardinality(Nullable(String)),
  source LowCardinality(String),
  status LowCardinality(String),
  generation UInt32,
  attempts UInt16,
  riskLevel LowCardinality(Nullable(String)),
  violations Array(LowCardinality(String)),
  failureCode LowCardinality(Nullable(String)),
  completedAt Nullable(DateTime64(3, 'UTC')),
  durationMs Nullable(Float64),
  steps String,
  erased Bool,
  topic LowCardinality(String),
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64,
  INDEX byAuditId auditId TYPE bloom_filter(0.001) GRANULARITY 4
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(acceptedAt)
ORDER BY (customerId, acceptedAt, auditId)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

-- where each partition of the sink stands
CREATE TABLE IF NOT EXISTS positions ${ON_CLUSTER}
(
  epoch UInt32,
  topic String,
  `partition` UInt16,
  nextOffset UInt64,
  lastDigest String CODEC(ZSTD(1)),
  lastAt DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(nextOffset)
ORDER BY (epoch, topic, partition)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

-- the epochs of the log
CREATE TABLE IF NOT EXISTS log_epochs ${ON_CLUSTER}
(
  epoch UInt32,
  setUp String,
  at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY epoch
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;
