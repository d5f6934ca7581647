/** Ranks of rows in the audit list: a stored signal outranks every dead letter, and its erasure outranks the signal. */
export const COMPLETED_RANK = 1_000_000;
export const ERASED_RANK = 1_000_001;
