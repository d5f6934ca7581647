/** The steps of a flush, in their order; inserts of one step run concurrently, `publish` appends to the log. */
const FLUSH_STEPS = ['content', 'ledger', 'tombstones', 'audits', 'publish', 'positions'] as const;
export type FlushStep = (typeof FLUSH_STEPS)[number];

/** Where a test may kill a flush: around each step, whether or not it has rows. */
export const FLUSH_CRASH_POINTS = FLUSH_STEPS.flatMap((step) => [`before-${step}`, `after-${step}`] as const);
export type FlushCrashPoint = (typeof FLUSH_CRASH_POINTS)[number];

/** Names of all points of the running sink: those of its flushes, and the consumer loop's around the commit. */
export const SINK_CRASH_POINTS: readonly string[] = [
  ...FLUSH_CRASH_POINTS,
  'before-commit',
  'after-commit',
].map((point) => `sink.${point}`);

/** Where a test may kill a sink while a customer is erased: its rows are gone, and this is not recorded yet. */
export const ERASURE_CRASH_POINTS = ['sink.erasure-removed'] as const;
export type ErasureCrashPoint = (typeof ERASURE_CRASH_POINTS)[number];
