import { setMaxListeners } from 'node:events';
import { NO_RULES } from '#core/detect/find/custom-rules.ts';
import { createCompiledCache, createRuleCache } from '#core/detect/find/rule-cache.ts';
import { compileSettings } from '#core/detect/judge/settings/detection-settings.ts';
import { runSteps, timeSlice } from '#platform/flow/time-slice.ts';
import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { detectInThreads, detectListsInThreads } from './in-threads.ts';
import type { ListLimits } from './lists.ts';
import { detectOnLoop } from './on-loop.ts';
import type { Detect, Detection, ToDetect } from './port.ts';

interface DetectionOptions {
  /** Where long texts are searched; null: on the event loop, like short ones. */
  readonly tasks: Tasks | null;
  /** Threads that search short texts; when null or not given, the event loop does. */
  readonly lists?: { readonly tasks: Tasks; readonly threads: number } | null;
  /** How much is searched together; by default as much as is worthwhile. */
  readonly list?: ListLimits;
  /** Long texts of this caller that may wait; unlimited by default, because batches are limited. */
  readonly maxWaiting?: number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly stages?: StageMetrics;
}

/** Characters of one audit or scan that are searched on the event loop: more would block it for too long. */
const MAX_ON_LOOP = 4_096;
/** The same for characters times the steps of the sandbox's patterns: expensive patterns are slow. */
const MAX_PATTERN_WORK = 1_048_576;
/** Steps of patterns that cost as much as one character costs all detectors, both in the worst case. */
const STEPS_PER_CHARACTER = 64;

/** In lists of this size each audit costs a quarter less than alone; larger lists gain nothing. */
const LONG_LISTS: ListLimits = { audits: 64, weight: 32_768, inOneTurn: false };

const charactersOf = ({ texts }: ToDetect): number => texts.reduce((sum, { text }) => sum + text.length, 0);

/**
 * Searches the short texts of all callers in lists, on the event loop or in threads, and long ones in separate threads,
 * with a deadline. The matches are the same either way.
 */
export function createDetection({
  tasks,
  lists = null,
  list = LONG_LISTS,
  ...options
}: DetectionOptions): Detection {
  const onLoop = detectOnLoop({ ...options, list });
  const inLists = lists === null ? null : detectListsInThreads({ ...options, ...lists, list });
  const inThreads = tasks === null ? null : detectInThreads({ ...options, tasks });
  const rulesOf = createRuleCache();
  const settingsOf = createCompiledCache(compileSettings);
  const yieldTurn = timeSlice(options.clock);

  const detect: Detect = async (audit, signal) => {
    const characters = charactersOf(audit);
    if (inThreads !== null && characters > MAX_ON_LOOP) return inThreads(audit, signal);
    const { texts, customRules, settings } = audit;
    const rules = customRules.length === 0 ? NO_RULES : await runSteps(rulesOf(customRules), yieldTurn);
    const compiled = settings === undefined ? null : await runSteps(settingsOf(settings), yieldTurn);
    const work = characters * (rules.patternSteps + (compiled?.patternSteps ?? 0));
    if (inThreads !== null && work > MAX_PATTERN_WORK) return inThreads(audit, signal);
    const weight = characters + work / STEPS_PER_CHARACTER;
    if (inLists !== null) return inLists(audit, weight, signal);
    return onLoop({ texts, rules, settings: compiled }, weight, signal);
  };
  return {
    detectAll: (audits, signal) => {
      // Each waiting audit adds a listener and removes it when done: one per audit of the list is not a leak.
      setMaxListeners(Infinity, signal);
      return Promise.allSettled(audits.map((audit) => detect(audit, signal)));
    },
  };
}
