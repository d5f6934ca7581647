/** Where a test may kill the API (`CRASH_AT`): a record is durable in the log, and nothing refers to it yet. */
export const API_CRASH_POINTS = ['api.signal-appended', 'api.replay-appended'] as const;
export type ApiCrashPoint = (typeof API_CRASH_POINTS)[number];

/** Where a test may kill it while a customer is erased: after the effect of a step, before the step is recorded. */
export const ERASURE_CRASH_POINTS = [
  'api.erasure-named',
  'api.erasure-key-destroyed',
  'api.erasure-cleaned',
] as const;
export type ErasureCrashPoint = (typeof ERASURE_CRASH_POINTS)[number];

/** Where a test may kill it while it advances a checkpoint: behind each of the two writes. */
export const CHECKPOINT_CRASH_POINTS = ['api.checkpoint-in-state', 'api.checkpoint-on-record'] as const;
export type CheckpointCrashPoint = (typeof CHECKPOINT_CRASH_POINTS)[number];
