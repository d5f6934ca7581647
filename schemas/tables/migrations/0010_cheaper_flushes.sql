-- Flushes a second apart leave less behind on disk. Nothing that is read changes; stored rows keep their form until a
-- merge rewrites them.

-- Entry ids carry their time, so nearly all ids of a flush are above everything stored: by the bounds of each granule the
-- look-up for repeats passes over old ones, instead of reading the last granule of every customer in every part.
ALTER TABLE ledger_ids ${ON_CLUSTER} ADD INDEX IF NOT EXISTS byEntryId entryId TYPE minmax GRANULARITY 1;
ALTER TABLE ledger_ids ${ON_CLUSTER} MATERIALIZE INDEX byEntryId;

-- Half the space of hexadecimal digits. Ids that a FINAL compares keep the codec that is read faster.
ALTER TABLE signals ${ON_CLUSTER}
  MODIFY COLUMN payloadDigest Nullable(String) CODEC(ZSTD(1)), MODIFY COLUMN fingerprint Nullable(String) CODEC(ZSTD(1)),
  MODIFY COLUMN reasoning Nullable(String) CODEC(ZSTD(1)), MODIFY COLUMN detections String CODEC(ZSTD(1));
ALTER TABLE ledger ${ON_CLUSTER} MODIFY COLUMN entryId String CODEC(ZSTD(1)), MODIFY COLUMN id String CODEC(ZSTD(1));
ALTER TABLE audits ${ON_CLUSTER} MODIFY COLUMN steps String CODEC(ZSTD(1));

-- min_parts_to_merge_at_once: an idle engine merges five parts at a time, the largest again and again. Twenty at a time
--   rewrite a row far less often; ten where a FINAL of the dashboard reads all parts together.
-- min_rows_to_fsync_after_merge: without it what a merge replaces is the only copy that survives a power loss, for as long
--   as the system takes to write the merged part back.
-- old_parts_lifetime, cleanup delays: so it may go after ten seconds. By default it stays for minutes, and is most of what
--   the tables take on disk.
-- write_marks_for_substreams, sparse serialization: two files less in each part; making and removing files is a large
--   share of what a small insert costs.
ALTER TABLE ledger ${ON_CLUSTER} MODIFY SETTING
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic';
ALTER TABLE ledger_ids ${ON_CLUSTER} MODIFY SETTING
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic';
ALTER TABLE signals ${ON_CLUSTER} MODIFY SETTING
  min_parts_to_merge_at_once = 10, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic';
ALTER TABLE entries ${ON_CLUSTER} MODIFY SETTING
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic';
ALTER TABLE audits ${ON_CLUSTER} MODIFY SETTING
  min_parts_to_merge_at_once = 10, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic';
ALTER TABLE acceptances ${ON_CLUSTER} MODIFY SETTING
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic';
ALTER TABLE positions ${ON_CLUSTER} MODIFY SETTING
  min_parts_to_merge_at_once = 20, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic';
