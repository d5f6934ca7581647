import { hash } from 'node:crypto';
import { MAX_SIGNAL_IDS } from '#schemas/correlation-bounds.ts';
import {
  type FindingSource,
  type FindingStatus,
  type FindingType,
  RISK_LEVELS,
  type RiskLevel,
} from '#schemas/vocabulary.ts';
import { canonicalJson } from '../evidence/canonical-json.ts';
import type { Verdict } from './patterns/verdict.ts';
import { type Evidence, extremesOf } from './state/evidence.ts';
import { RULES_VERSION } from './state/rules.ts';

/** A pattern across several signals. Always a complete record: a later version replaces an earlier one. */
export interface Finding {
  /** UUIDv8 of customer, type, key, window and rules: the same every time the finding is made. */
  readonly id: string;
  readonly type: FindingType;
  /** Subject: `violation:EMAIL`, `sandbox:<id>/violation:SSN`, `model:<provider>/<model>`, ... */
  readonly key: string;
  readonly status: FindingStatus;
  readonly source: FindingSource;
  /** Index of the entry that last changed it. */
  readonly version: number;
  /** Start of its window (Unix ms), and its length. */
  readonly windowStart: number;
  readonly windowMs: number;
  /** Signals in the finding. */
  readonly count: number;
  /** Expected and observed values: numbers of signals, or shares for tests on shares. */
  readonly baseline: number;
  readonly observed: number;
  /** 0.5 at the threshold, 1 where the p-value is ten orders of magnitude below it. */
  readonly score: number;
  readonly test: string;
  readonly pValue: number;
  /** The highest risk level of its signals. */
  readonly riskLevel: RiskLevel;
  /** First and last time of its signals, Unix ms. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** The first hundred. */
  readonly signalIds: readonly string[];
  readonly description: string;
}

/** Whether a finding depends on fingerprints: a signal whose detail is erased then leaves it. */
export const restsOnFingerprints = ({ key }: Pick<Finding, 'key'>): boolean => key.startsWith('shape:');

/** The window of a finding. */
export interface FindingWindow {
  readonly start: number;
  readonly lengthMs: number;
}

const TAG = 'cas/finding/v1\0';
/** Version and variant bits of a UUID made from a hash (RFC 9562, version 8). */
const [UUID_VERSION, UUID_VARIANT] = [0x80, 0x80];

function findingId(customerId: string, type: FindingType, key: string, window: FindingWindow): string {
  const { start, lengthMs } = window;
  const text = TAG + canonicalJson({ customerId, type, key, start, length: lengthMs, rules: RULES_VERSION });
  const bytes = hash('sha256', Buffer.from(text), 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | UUID_VERSION;
  bytes[8] = (bytes[8]! & 0x3f) | UUID_VARIANT;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Orders of magnitude below the threshold at which the score reaches 1. */
const FULL_SCORE_DECADES = 10;
/** Lower bound for p-values: smaller ones cannot be represented. */
const SMALLEST_P = 1e-300;

function scoreOf(pValue: number, threshold: number): number {
  const decades = Math.log10(threshold / Math.max(pValue, SMALLEST_P));
  return rounded(Math.min(1, Math.max(0, 0.5 + decades / (2 * FULL_SCORE_DECADES))));
}

/** Six significant digits: any further ones depend on the order of additions. */
const rounded = (number: number): number => Number(number.toPrecision(6));

export interface FindingContext {
  readonly customerId: string;
  readonly source: FindingSource;
}

/** The record of a finding. */
export function findingOf(
  { customerId, source }: FindingContext,
  verdict: Verdict,
  window: FindingWindow,
  status: FindingStatus,
  version: number,
): Finding {
  const { type, key, evidence, baseline, observed, test, pValue, threshold, description } = verdict;
  return {
    id: findingId(customerId, type, key, window),
    type,
    key,
    status,
    source,
    version,
    windowStart: window.start,
    windowMs: window.lengthMs,
    ...seenOf(evidence),
    baseline: rounded(baseline),
    observed: rounded(observed),
    score: scoreOf(pValue, threshold),
    test,
    pValue: rounded(pValue),
    description,
  };
}

/** The fields of a finding that summarize its signals. */
export function seenOf(
  evidence: Evidence,
): Pick<Finding, 'count' | 'riskLevel' | 'firstSeen' | 'lastSeen' | 'signalIds'> {
  const { firstAt, lastAt, rank } = extremesOf(evidence);
  return {
    count: evidence.count,
    riskLevel: RISK_LEVELS[rank] ?? 'LOW',
    firstSeen: firstAt,
    lastSeen: lastAt,
    signalIds: evidence.members.slice(0, MAX_SIGNAL_IDS).map(({ id }) => id),
  };
}
