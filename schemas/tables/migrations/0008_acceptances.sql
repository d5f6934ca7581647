-- Every audit that the audit list ever took in, once and for good: what the books compare the list with. A row deleted
-- from the list stays here. The view copies at each insert into the list, whatever release does it; the columns are the
-- list's sort key, which all rows of an audit share, so that repeats are identical and collapse.
CREATE TABLE IF NOT EXISTS acceptances ${ON_CLUSTER}
(
  customerId LowCardinality(String),
  acceptedAt DateTime64(3, 'UTC'),
  auditId String
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, acceptedAt, auditId)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0;

ALTER TABLE acceptances ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS acceptances_of_audits ${ON_CLUSTER} TO acceptances
AS SELECT customerId, acceptedAt, auditId FROM audits;

-- The history from before: behind the view, so that nothing falls between the two.
INSERT INTO acceptances (customerId, acceptedAt, auditId) SELECT customerId, acceptedAt, auditId FROM audits;
