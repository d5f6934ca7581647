-- Copies of the two long ids that every read of the dashboard goes by, in a form that compares dictionary entries
-- instead of 36 characters a row: it takes half the work off a count over a customer. They are computed from the row
-- and never inserted. The sort key keeps the plain column; queries name both (platform/warehouse/queries/owned-by.ts).

ALTER TABLE signals ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS customer LowCardinality(String) MATERIALIZED customerId;
ALTER TABLE signals ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS sandbox LowCardinality(String) MATERIALIZED sandboxId;
ALTER TABLE audits ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS customer LowCardinality(String) MATERIALIZED customerId;
ALTER TABLE audits ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS sandbox LowCardinality(String) MATERIALIZED sandboxId;

-- rows that are stored already; until they are rewritten, reading them computes the copies
ALTER TABLE signals ${ON_CLUSTER} MATERIALIZE COLUMN customer, MATERIALIZE COLUMN sandbox;
ALTER TABLE audits ${ON_CLUSTER} MATERIALIZE COLUMN customer, MATERIALIZE COLUMN sandbox;
