-- A replicated table drops an insert whose block equals a recent one. The fold writes equal blocks on purpose when it
-- repeats itself, and after an erasure an equal block must not vanish; what collapses repeats is the tables' engine.
-- No effect on a table that is not replicated.

ALTER TABLE ledger ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
ALTER TABLE ledger_ids ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
ALTER TABLE signals ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
ALTER TABLE entries ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
ALTER TABLE audits ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
ALTER TABLE positions ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
ALTER TABLE log_epochs ${ON_CLUSTER} MODIFY SETTING replicated_deduplication_window = 0;
