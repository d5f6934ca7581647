import type { ShownPattern } from '#schemas/api/evidence/correlations.ts';

/** Patterns caused by one event, the most certain first. */
export type Cause = readonly [first: ShownPattern, ...others: ShownPattern[]];

/** ESCALATION covers about two weeks: it shares signals with everything that happens in them. */
const MAX_WINDOW_MS = 24 * 3_600_000;
const SHARED = 0.5;
const VIOLATION = 'violation:';

/**
 * Groups patterns by event. A burst of one violation is often found as BURST, as CROSS_SANDBOX, and as RECURRING in
 * several sandboxes and models. Two patterns belong to one event when they concern one violation and overlap in time,
 * or share half of their signals. Keeps the order of the patterns.
 */
export function groupByCause(patterns: readonly ShownPattern[]): Cause[] {
  const causes: [ShownPattern, ...ShownPattern[]][] = [];
  for (const pattern of patterns) {
    const [first, ...others] = causes.filter((cause) => cause.some((one) => isOneEvent(one, pattern)));
    if (first === undefined) {
      causes.push([pattern]);
      continue;
    }
    // The pattern may connect them.
    for (const other of others) {
      first.push(...other);
      causes.splice(causes.indexOf(other), 1);
    }
    first.push(pattern);
  }
  return causes;
}

function isOneEvent(one: ShownPattern, other: ShownPattern): boolean {
  if (isLong(one) || isLong(other)) return false;
  const violation = violationOf(one);
  if (violation !== null && violation === violationOf(other)) return overlap(one, other);
  return shareSignals(one, other);
}

const isLong = ({ windowStart, windowEnd }: ShownPattern): boolean =>
  Date.parse(windowEnd) - Date.parse(windowStart) > MAX_WINDOW_MS;

/** "EMAIL" of `violation:EMAIL` and of `sandbox:<id>/violation:EMAIL`. */
const violationOf = ({ key }: ShownPattern): string | null => {
  const last = key.split('/').at(-1)!;
  return last.startsWith(VIOLATION) ? last.slice(VIOLATION.length) : null;
};

const overlap = (one: ShownPattern, other: ShownPattern): boolean =>
  one.firstSeen <= other.lastSeen && other.firstSeen <= one.lastSeen;

function shareSignals(one: ShownPattern, other: ShownPattern): boolean {
  const ids = new Set(one.signalIds);
  const shared = other.signalIds.filter((id) => ids.has(id)).length;
  return shared > 0 && shared >= SHARED * Math.min(ids.size, other.signalIds.length);
}
