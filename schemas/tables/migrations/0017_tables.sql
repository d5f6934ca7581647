-- All tables. Column lists stand in schemas/tables/tables.ts, and a test compares both with system.columns.
--
-- Settings of every table:
-- fsync_*: an answered insert survives a power loss.
-- *_deduplication_window = 0: the fold writes equal blocks on purpose when it repeats itself, and after an erasure an equal
--   block must not vanish. What collapses repeats is the tables' engine.
--
-- Settings of the tables that a flush of the sink, or as many findings, writes to:
-- min_parts_to_merge_at_once: an idle engine merges five parts at a time, the largest again and again. Twenty at a time
--   rewrite a row far less often; ten where a FINAL of the dashboard reads all parts together.
-- merge_selector_*: small parts are merged with small ones, instead of with a table a hundred times as large.
-- min_rows_to_fsync_after_merge: without it what a merge replaces is the only copy that survives a power loss.
-- old_parts_lifetime, cleanup_delay_*: so it may go after ten seconds. By default it stays for minutes, and is most of what
--   the tables take on disk.
-- write_marks_for_substreams, *_sparse_serialization: two files less in each part; making and removing files is a large
--   share of what a small insert costs.
-- min_age_to_force_merge_*: a month that nothing was added to for an hour becomes one part.

-- the skeleton of every ledger entry, never deleted
CREATE TABLE IF NOT EXISTS ledger ${ON_CLUSTER}
(
  customerId String,
  `index` UInt64,
  entryId String CODEC(ZSTD(1)),
  kind LowCardinality(String),
  id String CODEC(ZSTD(1)),
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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0,
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic', merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0,
  merge_selector_base = 8;

-- entry id -> index; small granules, because single ids are looked up. Ids carry their time, so nearly all ids of a flush are
-- above everything stored: by the bounds of each granule the look-up for repeats passes over old ones.
CREATE TABLE IF NOT EXISTS ledger_ids ${ON_CLUSTER}
(
  customerId String,
  entryId String,
  `index` UInt64,
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64,
  INDEX byEntryId entryId TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, entryId)
SETTINGS index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0,
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic', merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0,
  merge_selector_base = 8;

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
  reasoning Nullable(String) CODEC(ZSTD(1)),
  detections String CODEC(ZSTD(1)),
  payloadDigest Nullable(String) CODEC(ZSTD(1)),
  fingerprint Nullable(String) CODEC(ZSTD(1)),
  suppressed String DEFAULT '[]',
  confidences Array(Float64),
  detailSalt String CODEC(ZSTD(1)),
  `index` UInt64,
  previousHash String CODEC(ZSTD(1)),
  hash String CODEC(ZSTD(1)),
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64,
  -- The two long ids that every read of the dashboard goes by, in a form that compares dictionary entries instead of 36
  -- characters a row: half the work of a count. Queries name both (platform/warehouse/queries/owned-by.ts).
  customer LowCardinality(String) MATERIALIZED customerId,
  sandbox LowCardinality(String) MATERIALIZED sandboxId,
  -- The violations as one number, a bit for each code (platform/warehouse/queries/code-bits.ts); another list of codes
  -- needs another column.
  violationBits UInt64 MATERIALIZED arraySum(code -> transform(code,
    [
      'PII_LEAK', 'EMAIL', 'SSN', 'CREDIT_CARD', 'PHONE', 'PASSPORT', 'HEALTH_DATA', 'FINANCIAL_DATA', 'RACIAL_BIAS',
      'GENDER_BIAS', 'AGE_BIAS', 'DISABILITY_BIAS', 'RELIGIOUS_BIAS', 'INTERSECTIONAL_BIAS', 'SYCOPHANCY',
      'CODE_INJECTION', 'SECRET_LEAK', 'XSS', 'CSRF', 'SSRF', 'DANGEROUS_INSTRUCTIONS', 'PROMPT_INJECTION',
      'JAILBREAK_ATTEMPT', 'SYSTEM_PROMPT_EXTRACTION', 'GOAL_HIJACKING', 'AGENT_LOOP', 'IRREVERSIBLE_ACTION',
      'SCOPE_CREEP', 'PRIVILEGE_ESCALATION', 'FAKE_CITATION', 'INVENTED_STATISTIC', 'FALSE_CONFIDENCE',
      'EXPERT_IMPERSONATION', 'VIOLENT_CONTENT', 'SEXUAL_CONTENT', 'CSAM', 'HATE_SPEECH', 'HARASSMENT',
      'SELF_HARM_FACILITATION', 'UNLICENSED_ADVICE', 'INSIDER_TRADING', 'MARKET_MANIPULATION', 'FRAUD',
      'UNAUTHORIZED_LEGAL_ADVICE', 'COPYRIGHT', 'DEFAMATION', 'CUSTOM_RULE'
    ],
    [
      1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288,
      1048576, 2097152, 4194304, 8388608, 16777216, 33554432, 67108864, 134217728, 268435456, 536870912, 1073741824,
      2147483648, 4294967296, 8589934592, 17179869184, 34359738368, 68719476736, 137438953472, 274877906944,
      549755813888, 1099511627776, 2199023255552, 4398046511104, 8796093022208, 17592186044416, 35184372088832,
      70368744177664
    ],
    toUInt64(0)), violations),
  -- Whether one of the finds is a card's security code, the one that a control asks for: the finds themselves are long.
  foundCvv Bool MATERIALIZED position(detections, '"detector":"cvv"') > 0,
  INDEX byIndex `index` TYPE minmax GRANULARITY 1,
  INDEX byAuditId auditId TYPE bloom_filter(0.001) GRANULARITY 4
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(createdAt)
ORDER BY (customerId, createdAt, auditId)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0,
  min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
  min_parts_to_merge_at_once = 10, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic', merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0,
  merge_selector_base = 8;

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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0,
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic', merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0,
  merge_selector_base = 8;

-- Which customers were closed, apart from the other entries of their chains: a sink asks for it whenever it meets a
-- customer, and the entries of one grow with every look that an auditor takes. An insert into entries is answered only when
-- both are stored.
CREATE TABLE IF NOT EXISTS closings ${ON_CLUSTER}
(
  customerId String,
  `index` UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, `index`)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS closings_of_entries ${ON_CLUSTER} TO closings
AS SELECT customerId, `index` FROM entries
WHERE kind = 'ERASURE' AND JSONExtractBool(ifNull(core, ''), 'closing');

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
  steps String CODEC(ZSTD(1)),
  erased Bool,
  topic LowCardinality(String),
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64,
  customer LowCardinality(String) MATERIALIZED customerId,
  sandbox LowCardinality(String) MATERIALIZED sandboxId,
  INDEX byAuditId auditId TYPE bloom_filter(0.001) GRANULARITY 4
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(acceptedAt)
ORDER BY (customerId, acceptedAt, auditId)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0,
  min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
  min_parts_to_merge_at_once = 10, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic', merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0,
  merge_selector_base = 8;

-- Every audit that the audit list ever took in, once and for good: what the books compare the list with. A row deleted
-- from the list stays here. The columns are the list's sort key, which all rows of an audit share, so that repeats are
-- identical and collapse.
CREATE TABLE IF NOT EXISTS acceptances ${ON_CLUSTER}
(
  customerId LowCardinality(String),
  acceptedAt DateTime64(3, 'UTC'),
  auditId String
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, acceptedAt, auditId)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0,
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic', merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0,
  merge_selector_base = 8;

CREATE MATERIALIZED VIEW IF NOT EXISTS acceptances_of_audits ${ON_CLUSTER} TO acceptances
AS SELECT customerId, acceptedAt, auditId FROM audits;

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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0,
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic', merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0,
  merge_selector_base = 8;

-- the epochs of the log
CREATE TABLE IF NOT EXISTS log_epochs ${ON_CLUSTER}
(
  epoch UInt32,
  setUp String,
  at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY epoch
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0;

-- Records of the ledger that repeat an entry with another content, by their place in the log: a state that is older than
-- the ledger has made them. The entry stays what it was first; nothing is ever deleted here.
CREATE TABLE IF NOT EXISTS contradictions ${ON_CLUSTER}
(
  epoch UInt32,
  `partition` UInt16,
  `offset` UInt64,
  customerId String,
  entryId String,
  coreHash String CODEC(ZSTD(1)),
  repeatedCoreHash String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (epoch, partition, offset)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0;

-- Records of the log that are skipped because their loss was accepted. Read before every fold, and nearly always empty.
CREATE TABLE IF NOT EXISTS skips ${ON_CLUSTER}
(
  epoch UInt32,
  topic String,
  `partition` UInt16,
  `offset` UInt64,
  untilOffset UInt64,
  digest String,
  acceptedAt DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY (epoch, topic, `partition`, `offset`, untilOffset, digest)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0;

-- Roots of complete subtrees of each customer's tree (RFC 6962): of 256 leaves (height 8) and of 65,536 (height 16). Computed
-- from the ledger below the sink's positions, so that a row that is written again is the same row.
CREATE TABLE IF NOT EXISTS subtrees ${ON_CLUSTER}
(
  customerId String,
  height UInt8,
  `index` UInt64,
  hash String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, height, `index`)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0;

-- What was signed, one row a checkpoint; two rows of one size would show that history was rewritten, so both are kept.
CREATE TABLE IF NOT EXISTS checkpoints ${ON_CLUSTER}
(
  customerId String,
  size UInt64,
  root String CODEC(ZSTD(1)),
  chainHead String CODEC(ZSTD(1)),
  epoch UInt32,
  issuedAt DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, epoch, size, root, chainHead)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0;

-- Patterns over many signals. Of one finding the highest version counts, so that repeats and a writer who woke up late change nothing.
CREATE TABLE IF NOT EXISTS correlations ${ON_CLUSTER}
(
  customerId String,
  id String,
  version UInt64,
  foundAt DateTime64(3, 'UTC'),
  changedAt DateTime64(3, 'UTC'),
  type LowCardinality(String),
  status LowCardinality(String),
  score Float64,
  riskLevel LowCardinality(String),
  pattern String CODEC(ZSTD(1)),
  settings String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (customerId, id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0,
  min_parts_to_merge_at_once = 10, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic', merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0,
  merge_selector_base = 8;

-- How far each customer's signals are folded into patterns, with all that the fold knows: some 100 KB to a few MB a customer.
CREATE TABLE IF NOT EXISTS correlation_snapshots ${ON_CLUSTER}
(
  customerId String,
  version UInt64,
  epoch UInt32,
  next UInt64,
  hash String CODEC(ZSTD(1)),
  snapshot String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
ORDER BY customerId
SETTINGS index_granularity = 16, fsync_after_insert = 1, fsync_part_directory = 1,
  non_replicated_deduplication_window = 0, replicated_deduplication_window = 0;
