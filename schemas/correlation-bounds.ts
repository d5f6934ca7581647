/** Bounds on correlation settings of customers and of runs over history. */

/** Shortest window length, in minutes. */
export const MIN_WINDOW_MINUTES = 5;
export const MAX_WINDOW_MINUTES = 1_440;
/** Lower bound of the minimum number of signals in a finding. */
export const MIN_SIGNALS_FLOOR = 2;
export const MAX_MIN_SIGNALS = 10_000;
/** Maximum number of days in a run over history. */
export const MAX_RANGE_DAYS = 366;
/** Maximum number of signals that a finding lists. */
export const MAX_SIGNAL_IDS = 100;
