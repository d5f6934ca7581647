-- Small parts are merged with small ones. Nothing that is read changes; parts are merged otherwise from now on.

-- merge_selector_enable_heuristic_to_remove_small_parts_at_right: from the parts that are about to be merged the engine takes those
--   away at the end that hold less than a hundredth of the whole, until two are left, also where min_parts_to_merge_at_once
--   asks for more. A table a hundred times as large as a flush was then rewritten with every flush.
-- merge_selector_base: every part counts as five megabytes more than it has, so that twenty small ones are merged with
--   everything up to 24 MB. With 8 it is up to 12 MB for twenty parts, and less for ten.
ALTER TABLE ledger ${ON_CLUSTER} MODIFY SETTING
  merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0, merge_selector_base = 8;
ALTER TABLE ledger_ids ${ON_CLUSTER} MODIFY SETTING
  merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0, merge_selector_base = 8;
ALTER TABLE signals ${ON_CLUSTER} MODIFY SETTING
  merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0, merge_selector_base = 8;
ALTER TABLE entries ${ON_CLUSTER} MODIFY SETTING
  merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0, merge_selector_base = 8;
ALTER TABLE audits ${ON_CLUSTER} MODIFY SETTING
  merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0, merge_selector_base = 8;
ALTER TABLE acceptances ${ON_CLUSTER} MODIFY SETTING
  merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0, merge_selector_base = 8;
ALTER TABLE positions ${ON_CLUSTER} MODIFY SETTING
  merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0, merge_selector_base = 8;

-- Findings change about as often as signals are stored: what 0010 set for the tables of a flush.
ALTER TABLE correlations ${ON_CLUSTER} MODIFY SETTING
  merge_selector_enable_heuristic_to_remove_small_parts_at_right = 0, merge_selector_base = 8,
  min_parts_to_merge_at_once = 10, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 10,
  cleanup_delay_period = 5, cleanup_delay_period_random_add = 1, max_cleanup_delay_period = 5,
  write_marks_for_substreams_in_compact_parts = 0, ratio_of_defaults_for_sparse_serialization = 1,
  serialization_info_version = 'basic';
