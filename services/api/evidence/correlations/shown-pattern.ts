import { findingOfStored, type StoredPattern } from '#core/correlate/fold/stored-pattern.ts';
import type { ShownPattern } from '#schemas/api/evidence/correlations.ts';

const timeOf = (at: number): string => new Date(at).toISOString();

export function shownPattern(pattern: StoredPattern): ShownPattern {
  const { windowStart, windowMs, firstSeen, lastSeen, signalIds, ...finding } = findingOfStored(pattern);
  return {
    ...finding,
    windowStart: timeOf(windowStart),
    windowEnd: timeOf(windowStart + windowMs),
    firstSeen: timeOf(firstSeen),
    lastSeen: timeOf(lastSeen),
    signalIds: [...signalIds],
  };
}
