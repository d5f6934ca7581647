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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0, replicated_deduplication_window = 0;
