-- The field that version 3 of a SIGNAL adds. Rows from before, and of older versions, read an empty list; nothing is rewritten.
ALTER TABLE signals ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS suppressed String DEFAULT '[]' AFTER fingerprint;
