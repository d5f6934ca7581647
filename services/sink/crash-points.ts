/** The inserts of a flush, in their order; those of one step run side by side. */
export const FLUSH_STEPS = ['content', 'ledger_ids', 'ledger', 'tombstones', 'audits', 'positions'] as const;
export type FlushStep = (typeof FLUSH_STEPS)[number];

/** Where a test may kill the sink. The consumer loop has points of its own around the commit. */
export const SINK_CRASH_POINTS = FLUSH_STEPS.flatMap((step) => [`before-${step}`, `after-${step}`] as const);
export type SinkCrashPoint = (typeof SINK_CRASH_POINTS)[number];
