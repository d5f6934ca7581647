/**
 * Points where tests kill the service. `api.` and `sink.` points in steps are its probes (`platform/process/probe.ts`);
 * all others are calls of its ports, and the tests' program kills around them (`test/programs/kill-around.ts`).
 */

/** Steps of a flush in order; inserts of one step run concurrently, `publish` appends to the log. */
const FLUSH_STEPS = ['content', 'ledger', 'tombstones', 'audits', 'publish', 'positions'] as const;
/** Around each step, even without rows. */
export const FLUSH_POINTS: readonly string[] = FLUSH_STEPS.flatMap((step) => [
  `sink.before-${step}`,
  `sink.after-${step}`,
]);
/** Points of the running sink: its flushes, and around its commits. */
export const SINK_POINTS: readonly string[] = [...FLUSH_POINTS, 'sink.before-commit', 'sink.after-commit'];

/** Around the append of a batch's forwarded records, and around its commits. */
export const ANALYZER_POINTS: readonly string[] = [
  'analyzer.before-forward',
  'analyzer.after-forward',
  'analyzer.before-commit',
  'analyzer.after-commit',
];

/**
 * Around the state writes (an incident with its documents, and the customer's progress), around the commits, and when
 * an incident's entry is in the log but still pending.
 */
export const POLICIES_POINTS: readonly string[] = [
  'policies.before-incident',
  'policies.after-incident',
  'policies.before-progress',
  'policies.after-progress',
  'policies.before-commit',
  'policies.after-commit',
  'policies.outbox-appended',
];

/** A record is durable in the log but not referenced yet. */
export const APPEND_POINTS: readonly string[] = ['api.signal-appended', 'api.replay-appended'];

/** Records that the API's outbox appended are still pending. */
export const OUTBOX_POINT = 'api.outbox-appended';

/** After each of the two writes of a checkpoint. */
export const CHECKPOINT_POINTS: readonly string[] = ['api.checkpoint-in-state', 'api.checkpoint-on-record'];

/** While a customer is erased, in order: after a step's effect, before the step is recorded. */
export const ERASURE_POINTS: readonly string[] = [
  'api.erasure-named',
  'sink.erasure-removed',
  'api.erasure-key-destroyed',
  'api.erasure-cleaned',
];

/**
 * While a signal is erased: the run of a failed audit is claimed; the decision is written but not reported; it is
 * folded; its receipt is signed but not delivered.
 */
export const SIGNAL_ERASURE_POINTS: readonly string[] = [
  'api.erasure-claimed',
  'api.erasure-noted',
  'api.erasure-folded',
  'api.erasure-receipt',
];

/** In a run of retention policies: after each write of the run. */
export const RETENTION_POINTS: readonly string[] = [
  'api.retention-begun',
  'api.retention-noted',
  'api.retention-folded',
  'api.retention-finished',
];

/** While packages are built: after each effect, before the next one refers to it. */
export const PACKAGE_POINTS: readonly string[] = [
  'api.package-begun',
  'api.package-written',
  'api.package-verified',
  'api.package-ready',
  'api.package-removed',
];
