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
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0,
  replicated_deduplication_window = 0;
