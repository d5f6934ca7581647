import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { CorrelationSettings } from './rules.ts';

/** A signal as far as patterns look at it. */
export interface CorrelatedSignal {
  /** Place in the customer's ledger. */
  readonly index: number;
  /** Id of the entry: the audit's. */
  readonly id: string;
  /** Unix ms. Windows go by this. */
  readonly createdAt: number;
  /** Unix ms. */
  readonly acceptedAt: number;
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  /** 64 hexadecimal digits (core/similarity); null: there is none. */
  readonly fingerprint: string | null;
}

/**
 * A signal of history. One that counts for totals alone, without a violation and without elevated risk, may stand for several
 * of its hour that are equal in sandbox, provider and model: it is the last of them, and `count` says of how many.
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
  /** Inclusive; what is at or above the entry's own index is ignored. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** DETAIL takes the fingerprint only: the signal leaves campaigns. */
  readonly scope: ErasureScope;
  /** The customer is closed: nothing is found any more. */
  readonly closing: boolean;
}

/** Settings that hold for the entries behind this one. */
interface SettingsEntry {
  readonly kind: 'SETTINGS';
  readonly index: number;
  readonly settings: CorrelationSettings;
}

/** Any other entry, and a signal that folded blank: it moves the index and nothing else. */
interface OtherEntry {
  readonly kind: 'OTHER';
  readonly index: number;
}

export type CorrelatedEntry = SignalEntry | ErasureEntry | SettingsEntry | OtherEntry;

/** What lies before the first entry that is looked at, as far as baselines need it. */
export interface Past {
  readonly hours: Iterable<HourlyCounts>;
  readonly shapes: Iterable<ShapeCount>;
}

/** How many signals of a day (UTC) have a violation and a prompt of a shape: one row of a query that groups by them. */
export interface ShapeCount {
  /** Beginning of the day, Unix ms. */
  readonly day: number;
  readonly code: string;
  /** The first six bits of the fingerprint. */
  readonly shape: number;
  readonly count: number;
}

/** How many signals of each hour are equal in all of these: one row of a query that groups by them. */
export interface HourlyCounts {
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  /** Since the epoch, ascending: those that have any. */
  readonly hours: readonly number[];
  /** Signals in each of these hours. */
  readonly counts: readonly number[];
}
