-- Which customers were closed, apart from the other entries of their chains: a sink asks for it whenever it meets a
-- customer, and the entries of one grow with every look that an auditor takes. The view fills it with every insert into
-- entries, also by a sink of the release before, and an insert is answered only when both are stored.

CREATE TABLE IF NOT EXISTS closings ${ON_CLUSTER}
(
  customerId String,
  `index` UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (customerId, `index`)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 0,
  replicated_deduplication_window = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS closings_of_entries ${ON_CLUSTER} TO closings
AS SELECT customerId, `index` FROM entries
WHERE kind = 'ERASURE' AND JSONExtractBool(ifNull(core, ''), 'closing');

-- what was stored before the view was there
INSERT INTO closings (customerId, `index`) SELECT customerId, `index` FROM entries
WHERE kind = 'ERASURE' AND JSONExtractBool(ifNull(core, ''), 'closing');
