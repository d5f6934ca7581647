import type { StreamCrashPoint } from '#platform/stream/partition/options.ts';

/** The writes of the state, in their order: an incident with what belongs to it, and how far the customer was compared. */
const WRITES = ['incident', 'progress'] as const;

/** Where a test may kill a correlator beside the points of the consumer loop: around the writes of the state. */
const ENFORCEMENT_CRASH_POINTS = WRITES.flatMap((write) => [`before-${write}`, `after-${write}`] as const);
export type EnforcementCrashPoint = (typeof ENFORCEMENT_CRASH_POINTS)[number];

/** `outbox-appended`: the entry of an incident is in the log, and still pending. */
export type CorrelatorCrashPoint = EnforcementCrashPoint | StreamCrashPoint | 'outbox-appended';

/** Of the fold into patterns: what was found is in the log; what is folded is saved. */
export type PatternsCrashPoint = 'findings-appended' | 'snapshots-stored' | StreamCrashPoint;

/** Names of all points of the running correlator: around its writes, and the consumer loop's around the commit. */
export const CORRELATOR_CRASH_POINTS: readonly string[] = [
  ...[...ENFORCEMENT_CRASH_POINTS, 'before-commit', 'after-commit', 'outbox-appended'].map(
    (point) => `policies.${point}`,
  ),
  ...['findings-appended', 'snapshots-stored', 'before-commit', 'after-commit'].map(
    (point) => `correlator.${point}`,
  ),
];
