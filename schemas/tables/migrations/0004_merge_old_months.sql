-- A month that nothing was added to for an hour becomes one part: reading many small parts costs more than their rows.

ALTER TABLE signals ${ON_CLUSTER}
  MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;
ALTER TABLE audits ${ON_CLUSTER}
  MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;
