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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

ALTER TABLE subtrees ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;

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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

ALTER TABLE checkpoints ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
