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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

ALTER TABLE correlations ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;

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
SETTINGS index_granularity = 16, fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

ALTER TABLE correlation_snapshots ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
