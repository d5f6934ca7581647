/** Where a test may kill the API (`CRASH_AT`): a record is durable in the log, and nothing refers to it yet. */
export const API_CRASH_POINTS = ['api.signal-appended', 'api.replay-appended'] as const;

/** Where a test may kill it while a customer is erased: after the effect of a step, before the step is recorded. */
export const ERASURE_CRASH_POINTS = [
  'api.erasure-named',
  'api.erasure-key-destroyed',
  'api.erasure-cleaned',
] as const;
export type ErasureCrashPoint = (typeof ERASURE_CRASH_POINTS)[number];

/**
 * Where a test may kill it while a signal is erased: the run of a failed audit is claimed; what is decided is written,
 * and nobody was told; it is folded; its receipt is signed, and nobody has it.
 */
export const SIGNAL_ERASURE_CRASH_POINTS = [
  'api.erasure-claimed',
  'api.erasure-noted',
  'api.erasure-folded',
  'api.erasure-receipt',
] as const;

/** Where a test may kill it in a run of retention policies: behind each write of the run. */
export const RETENTION_CRASH_POINTS = [
  'api.retention-begun',
  'api.retention-noted',
  'api.retention-folded',
  'api.retention-finished',
] as const;
export type RetentionCrashPoint =
  | (typeof SIGNAL_ERASURE_CRASH_POINTS)[number]
  | (typeof RETENTION_CRASH_POINTS)[number];

/** Where a test may kill it while it makes packages: behind each effect, before the next one refers to it. */
export const PACKAGE_CRASH_POINTS = [
  'api.package-begun',
  'api.package-written',
  'api.package-verified',
  'api.package-ready',
  'api.package-removed',
] as const;

/** Where a test may kill it behind an append of its outbox: what is in the log is still pending. */
export const OUTBOX_CRASH_POINT = 'api.outbox-appended';
