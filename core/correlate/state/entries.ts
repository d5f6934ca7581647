import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { CorrelationSettings } from './rules.ts';

/** The fields of a signal that patterns use. */
export interface CorrelatedSignal {
  /** Index in the customer's ledger. */
  readonly index: number;
  /** Id of the entry: the audit's. */
  readonly id: string;
  /** Unix ms. Decides the window. */
  readonly createdAt: number;
  /** Unix ms. */
  readonly acceptedAt: number;
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  /** 64 hexadecimal digits (core/similarity); null: none. */
  readonly fingerprint: string | null;
}

/**
 * A signal of history. One without a violation and without elevated risk only counts towards totals, so it may
 * represent several signals of the same hour, sandbox, provider and model: it is the last of them, and `count` is their
 * number.
 */
export interface CountedSignal extends Omit<CorrelatedSignal, 'acceptedAt'> {
  readonly count: number;
}

interface SignalEntry extends CorrelatedSignal {
  readonly kind: 'SIGNAL';
}

/** An ERASURE entry that names signals. */
interface ErasureEntry {
  readonly kind: 'ERASURE';
  readonly index: number;
  /** Inclusive; indexes at or above the entry's own are ignored. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** DETAIL erases the fingerprint only: the signal leaves campaigns. */
  readonly scope: ErasureScope;
  /** The customer has been closed: there are no more findings. */
  readonly closing: boolean;
}

/** Settings that apply to all later entries. */
interface SettingsEntry {
  readonly kind: 'SETTINGS';
  readonly index: number;
  readonly settings: CorrelationSettings;
}

/** Any other entry, or a signal that folds to nothing: only advances the index. */
interface OtherEntry {
  readonly kind: 'OTHER';
  readonly index: number;
}

export type CorrelatedEntry = SignalEntry | ErasureEntry | SettingsEntry | OtherEntry;

/** Counts from before the first entry, as far as baselines need them. */
export interface Past {
  readonly hours: Iterable<HourlyCounts>;
  readonly shapes: Iterable<ShapeCount>;
}

/** Signals of a day (UTC) with a given violation and prompt shape: one row of a grouping query. */
export interface ShapeCount {
  /** Start of the day, Unix ms. */
  readonly day: number;
  readonly code: string;
  /** The first six bits of the fingerprint. */
  readonly shape: number;
  readonly count: number;
}

/** Signals per hour that are equal in all of these fields: one row of a grouping query. */
export interface HourlyCounts {
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  /** Hours since the epoch with any signals, ascending. */
  readonly hours: readonly number[];
  /** Signals in each of these hours. */
  readonly counts: readonly number[];
}
