-- The field that version 4 of a SIGNAL adds. Rows from before, and of older versions, read an empty list; nothing is rewritten.
ALTER TABLE signals ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS confidences Array(Float64) AFTER suppressed;
