import type { LogRecord, StoredRecord } from '#platform/event-log/port.ts';
import { type Step, stepsOf } from '#platform/stream/failure/retry-route.ts';
import { type AuditHeaders, type FailureHeaders, TRIPLETS } from '#schemas/topics.ts';

/** Headers that describe the failure: not copied to the replay. */
const FAILURE_HEADERS: Readonly<Record<keyof FailureHeaders, true>> = {
  'x-due-ts': true,
  'x-first-failure-ts': true,
  'x-failure-code': true,
  'x-error-class': true,
  'x-error-stage': true,
  'x-original-topic': true,
  'x-original-partition': true,
  'x-original-offset': true,
  'x-original-timestamp': true,
};

/** `at`: ISO 8601. */
export const replayStep = (at: string): Step => ({ name: 'RETRYING', at });

/**
 * A dead letter prepared for another analysis: same audit id, same sealed bytes, a new generation. The attempt count
 * continues, so it stays the number of analyses started.
 */
export function replayedRecord(deadLetter: StoredRecord, generation: number, at: string): LogRecord {
  const kept = Object.entries(deadLetter.headers).filter(([name]) => !Object.hasOwn(FAILURE_HEADERS, name));
  const changed: Pick<AuditHeaders, 'generation' | 'steps'> = {
    generation: String(generation),
    steps: JSON.stringify([...stepsOf(deadLetter.headers), replayStep(at)]),
  };
  return {
    topic: TRIPLETS.name,
    key: deadLetter.key,
    value: deadLetter.value,
    headers: { ...Object.fromEntries(kept), ...changed },
  };
}
