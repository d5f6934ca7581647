/** What a customer, or a run over history, may ask of patterns. */

/** Length of the shortest windows, minutes. */
export const MIN_WINDOW_MINUTES = 5;
export const MAX_WINDOW_MINUTES = 1_440;
/** Signals that a finding has at least. */
export const MIN_SIGNALS_FLOOR = 2;
export const MAX_MIN_SIGNALS = 10_000;
/** Days that a run over history looks at. */
export const MAX_RANGE_DAYS = 366;
/** Signals that a finding names. */
export const MAX_SIGNAL_IDS = 100;
