import {
  MAX_MIN_SIGNALS,
  MAX_WINDOW_MINUTES,
  MIN_SIGNALS_FLOOR,
  MIN_WINDOW_MINUTES,
} from '#schemas/correlation-bounds.ts';
import {
  CORRELATION_DIMENSIONS,
  type CorrelationDimension,
  type FindingType,
  VIOLATION_CODES,
} from '#schemas/vocabulary.ts';

/**
 * Everything that decides what is a finding, in one place. A change of any of it needs a new version: findings of two
 * versions have different ids, and a snapshot of another version is refused.
 */
export const RULES_VERSION = 2;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** A signal is late when it was made so long before it was accepted, and a window closes so long after its end. */
export const LATENESS_MS = HOUR_MS;
/** What a window is compared with lies in so many days before it. */
export const BASELINE_DAYS = 28;
/** A customer with a shorter history has no baseline, and nothing is compared with it. */
export const MIN_HISTORY_DAYS = 7;

/** ESCALATION looks at two weeks, and such a window begins every week: a climb lies within one for the most part. */
export const FORTNIGHT_MS = 2 * WEEK_MS;

/** Parts of a day for RECURRING, and of a fortnight for ESCALATION. */
export const DAY_PARTS = 24;
export const FORTNIGHT_PARTS = 28;

/** Expected false alarms of a type for one customer in a week, at most: six types stay below 1 %. */
const FALSE_ALARMS_PER_WEEK = 0.001;

/**
 * How many keys of a type are compared in each window, for Bonferroni's correction. A constant, not the number that
 * happens to be there: otherwise the threshold would depend on what else a customer does.
 */
const FAMILY: Readonly<Record<FindingType, number>> = {
  BURST: VIOLATION_CODES.length + 2,
  RECURRING: 1_024,
  CROSS_SANDBOX: VIOLATION_CODES.length,
  MODEL_REGRESSION: 16,
  ESCALATION: 128,
  CAMPAIGN: 1,
};

/**
 * The p-value below which a window has a finding: Bonferroni over the keys and windows of a week. `everyMs`: from the
 * beginning of one window to that of the next.
 */
export const thresholdOf = (type: FindingType, everyMs: number): number =>
  (FALSE_ALARMS_PER_WEEK * everyMs) / WEEK_MS / FAMILY[type];

/**
 * Counts of BURST, RECURRING, CROSS_SANDBOX and CAMPAIGN only grow while a window is open, so looking often adds no
 * false alarms. Shares go up and down: while its window is open, a finding on shares needs a p-value so much smaller.
 */
export const EARLY_LOOK_PENALTY = 10;

/** A tally is looked at again when it has grown by this factor. */
export const LOOK_GROWTH = 1.25;

/** So many times the baseline at least: what is significant may still be small. */
export const MIN_RATIO: Readonly<Record<'BURST' | 'RECURRING' | 'MODEL_REGRESSION' | 'ESCALATION', number>> =
  {
    BURST: 2,
    RECURRING: 1.5,
    MODEL_REGRESSION: 1.5,
    ESCALATION: 1.5,
  };

/** Hours of a day in which a violation has to come before it is called recurring. */
export const RECURRING_MIN_HOURS = 6;
/** Sandboxes in which a pattern has to show, each by itself with at most that p-value and at least so many signals. */
export const CROSS_MIN_SANDBOXES = 3;
export const CROSS_MIN_SIGNALS = 2;
export const CROSS_MAX_P = 0.01;
/** A model, provider or sandbox is new when its first signal is not older than this at the beginning of a window. */
export const NEW_MODEL_MS = WEEK_MS;
/** Signals of other models that a new one is compared with, in all and in each sandbox. */
export const MIN_OLD_SIGNALS = 100;
export const MIN_OLD_IN_SANDBOX = 20;
/** Signals of a fortnight, and elevated ones among them, from which on a trend is tested. */
export const TREND_MIN_SIGNALS = 50;
export const TREND_MIN_ELEVATED = 12;
/** Chance that two attack prompts of independent people count as near-duplicates: phrases are copied everywhere. */
export const NEAR_BY_CHANCE = 1e-3;
/** Fingerprints are of one campaign from this similarity on: more than makes two texts near-duplicates (`core/similarity`). */
export const CAMPAIGN_SIMILARITY = 0.5;

/**
 * Bounds of one customer's state. What lies beyond a bound is decided by the order of the entries alone: a key that
 * finds no room is not followed (its signals still count for the others) until one was silent for 30 days; the oldest
 * single prompt makes room for a new one; the oldest open window is closed; the oldest closed finding is forgotten.
 */
export const MAX_KEYS = 2_048;
export const MAX_SANDBOXES = 256;
export const MAX_MODELS = 128;
export const MAX_PROVIDERS = 32;
export const MAX_OPEN_WINDOWS = 64;
/** Shapes of prompts with a violation that are followed at a time: those of a day or two. */
export const MAX_OPEN_SHAPES = 1_024;
export const MAX_CLUSTERS = 1_024;
export const MAX_KEPT_FINDINGS = 256;
/** Signals of a tally or finding that are known one by one, so that they can be erased. */
export const MAX_MEMBERS = 1_000;
/** What a customer may set. */
export interface CorrelationSettings {
  /** Length of the windows of BURST and CROSS_SANDBOX, 5 to 1,440 minutes. Days and weeks of the others are fixed. */
  readonly windowMinutes: number;
  /** Signals that a finding has at least, 2 to 10,000. */
  readonly minSignals: number;
  readonly dimensions: readonly CorrelationDimension[];
}

export const DEFAULT_SETTINGS: CorrelationSettings = {
  windowMinutes: 60,
  minSignals: 3,
  dimensions: CORRELATION_DIMENSIONS,
};

/** Throws a RangeError on what a customer may not set: an entry that holds it was not written by this program. */
export function checkSettings({ windowMinutes, minSignals }: CorrelationSettings): void {
  if (
    !(windowMinutes >= MIN_WINDOW_MINUTES && windowMinutes <= MAX_WINDOW_MINUTES) ||
    windowMinutes % 1 !== 0
  )
    throw new RangeError(`a window must have ${MIN_WINDOW_MINUTES} to ${MAX_WINDOW_MINUTES} minutes`);
  if (!(minSignals >= MIN_SIGNALS_FLOOR && minSignals <= MAX_MIN_SIGNALS) || minSignals % 1 !== 0)
    throw new RangeError(`the minimum number of signals must be ${MIN_SIGNALS_FLOOR} to ${MAX_MIN_SIGNALS}`);
}
