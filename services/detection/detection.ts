import type { StageMetrics } from '#platform/telemetry/stage-metrics.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { detectInThreads } from './in-threads.ts';
import { detectOnLoop, type ListLimits } from './on-loop.ts';
import type { Detection, ToDetect } from './port.ts';

interface DetectionOptions {
  /** Where long texts are searched; null: on the event loop like short ones. */
  readonly tasks: Tasks | null;
  /** How much is searched before the event loop is let go; by default as much as pays off. */
  readonly list?: ListLimits;
  /** Long texts of this caller that may wait; by default any number, because batches are limited. */
  readonly maxWaiting?: number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly stages?: StageMetrics;
}

/** Characters of one audit or scan that are searched on the event loop: more would hold it for too long. */
const MAX_ON_LOOP = 4_096;

/** Of 64 audits each costs a quarter less than alone, and no more of them gain much. */
const LONG_LISTS: ListLimits = { audits: 64, characters: 65_536 };

const charactersOf = ({ texts }: ToDetect): number => texts.reduce((sum, { text }) => sum + text.length, 0);

/**
 * Searches short texts on the event loop, those of all callers in lists, and long ones in threads with a deadline. Both
 * find the same.
 */
export function createDetection({ tasks, list = LONG_LISTS, ...options }: DetectionOptions): Detection {
  const short = detectOnLoop({ ...options, list });
  const long = tasks === null ? short : detectInThreads({ ...options, tasks });
  return {
    detectAll: (audits, signal) =>
      Promise.allSettled(
        audits.map((audit) => (charactersOf(audit) <= MAX_ON_LOOP ? short : long)(audit, signal)),
      ),
  };
}
