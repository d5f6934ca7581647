-- The field that version 2 of a SIGNAL adds. Rows from before, and of version 1, read NULL; nothing is rewritten.
ALTER TABLE signals ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS fingerprint Nullable(String) AFTER payloadDigest;
