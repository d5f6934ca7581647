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
 * All rules that decide what becomes a finding. Any change needs a new version: findings of two versions have different
 * ids, and a snapshot of another version is refused.
 */
export const RULES_VERSION = 2;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** A signal is late if it was accepted this long after it was made, and a window closes this long after its end. */
export const LATENESS_MS = HOUR_MS;
/** Days before a window that it is compared with. */
export const BASELINE_DAYS = 28;
/** A customer with a shorter history has no baseline, so nothing is compared. */
export const MIN_HISTORY_DAYS = 7;

/** ESCALATION covers two weeks, and a window starts every week, so most climbs lie within one. */
export const FORTNIGHT_MS = 2 * WEEK_MS;

/** Parts of a day for RECURRING, and of a fortnight for ESCALATION. */
export const DAY_PARTS = 24;
export const FORTNIGHT_PARTS = 28;

/** Maximum expected false alarms per type, customer and week: all six types stay below 1 %. */
const FALSE_ALARMS_PER_WEEK = 0.001;

/**
 * Keys of a type compared in each window, for Bonferroni's correction. A constant rather than the current number, so
 * that the threshold does not depend on the customer's other activity.
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
 * start of one window to the start of the next.
 */
export const thresholdOf = (type: FindingType, everyMs: number): number =>
  (FALSE_ALARMS_PER_WEEK * everyMs) / WEEK_MS / FAMILY[type];

/**
 * Counts of BURST, RECURRING, CROSS_SANDBOX and CAMPAIGN only grow while a window is open, so frequent tests add no
 * false alarms. Shares go up and down: while its window is open, a finding on shares needs a p-value smaller by this
 * factor.
 */
export const EARLY_LOOK_PENALTY = 10;

/** A tally is judged again after it has grown by this factor. */
export const LOOK_GROWTH = 1.25;

/** Minimum ratio to the baseline: a significant difference may still be small. */
export const MIN_RATIO: Readonly<Record<'BURST' | 'RECURRING' | 'MODEL_REGRESSION' | 'ESCALATION', number>> =
  {
    BURST: 2,
    RECURRING: 1.5,
    MODEL_REGRESSION: 1.5,
    ESCALATION: 1.5,
  };

/** Hours of a day in which a violation must occur to be recurring. */
export const RECURRING_MIN_HOURS = 6;
/** Sandboxes that must show a pattern, each with at most this p-value and at least this many signals. */
export const CROSS_MIN_SANDBOXES = 3;
export const CROSS_MIN_SIGNALS = 2;
export const CROSS_MAX_P = 0.01;
/** A model, provider or sandbox is new if its first signal is at most this old at the start of a window. */
export const NEW_MODEL_MS = WEEK_MS;
/** Signals of other models that a new one is compared with, in total and per sandbox. */
export const MIN_OLD_SIGNALS = 100;
export const MIN_OLD_IN_SANDBOX = 20;
/** Minimum signals of two weeks, and elevated ones among them, for a trend test. */
export const TREND_MIN_SIGNALS = 50;
export const TREND_MIN_ELEVATED = 12;
/** Chance that two attack prompts from unrelated senders are near-duplicates: phrases are copied everywhere. */
export const NEAR_BY_CHANCE = 1e-3;
/** Minimum similarity of fingerprints in one campaign: stricter than for near-duplicates (`core/similarity`). */
export const CAMPAIGN_SIMILARITY = 0.5;

/**
 * Limits on one customer's state. What happens at a limit depends on the order of entries alone: a key for which there
 * is no room is not tracked (its signals still count for other keys) until another key has been silent for 30 days; the
 * oldest single prompt makes room for a new one; the oldest open window closes; the oldest closed finding is dropped.
 */
export const MAX_KEYS = 2_048;
export const MAX_SANDBOXES = 256;
export const MAX_MODELS = 128;
export const MAX_PROVIDERS = 32;
export const MAX_OPEN_WINDOWS = 64;
/** Prompt shapes with violations tracked at a time: enough for a day or two. */
export const MAX_OPEN_SHAPES = 1_024;
export const MAX_CLUSTERS = 1_024;
export const MAX_KEPT_FINDINGS = 256;
/** Signals of a tally or finding that are known individually, so that they can be erased. */
export const MAX_MEMBERS = 1_000;
/** Settings that a customer may change. */
export interface CorrelationSettings {
  /** Length of BURST and CROSS_SANDBOX windows, 5 to 1,440 minutes. The other types have fixed days and weeks. */
  readonly windowMinutes: number;
  /** Minimum signals of a finding, 2 to 10,000. */
  readonly minSignals: number;
  readonly dimensions: readonly CorrelationDimension[];
}

export const DEFAULT_SETTINGS: CorrelationSettings = {
  windowMinutes: 60,
  minSignals: 3,
  dimensions: CORRELATION_DIMENSIONS,
};

/** Throws a RangeError on settings out of range: this program never writes an entry with such settings. */
export function checkSettings({ windowMinutes, minSignals }: CorrelationSettings): void {
  if (
    !(windowMinutes >= MIN_WINDOW_MINUTES && windowMinutes <= MAX_WINDOW_MINUTES) ||
    windowMinutes % 1 !== 0
  )
    throw new RangeError(`a window must have ${MIN_WINDOW_MINUTES} to ${MAX_WINDOW_MINUTES} minutes`);
  if (!(minSignals >= MIN_SIGNALS_FLOOR && minSignals <= MAX_MIN_SIGNALS) || minSignals % 1 !== 0)
    throw new RangeError(`the minimum number of signals must be ${MIN_SIGNALS_FLOOR} to ${MAX_MIN_SIGNALS}`);
}
