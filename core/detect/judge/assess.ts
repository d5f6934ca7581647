import {
  isReported,
  type RiskLevel,
  type SandboxType,
  VIOLATION_CODES,
  type ViolationCode,
} from '#schemas/vocabulary.ts';
import type { Match } from '../find/match.ts';
import { regulationsConcerned } from './regulations.ts';
import { isHint, type Rating, rankOfLevel, rate } from './severity.ts';
import { type Tallied, tally } from './tally.ts';

/** The sandbox settings that determine how matches are reported. */
export interface AssessmentPolicy {
  readonly sandboxType: SandboxType;
  readonly regulations: readonly string[];
  readonly alertThreshold: RiskLevel;
}

interface Detection {
  readonly code: ViolationCode;
  readonly detector: string;
  readonly version: number;
  readonly count: number;
  readonly ruleIndex?: number;
}

export interface Assessment {
  readonly riskLevel: RiskLevel;
  /** Reported codes, each once, in the order of the vocabulary. */
  readonly violations: ViolationCode[];
  /**
   * Whether personal data, tokens or keys were found (hints do not count), even if the sandbox's type does not report
   * them.
   */
  readonly piiDetected: boolean;
  readonly regulation: string[];
  /** The highest confidence of the reported matches; 1 if there are none. */
  readonly confidence: number;
  readonly alert: boolean;
  /** Per reported code, detector and custom rule. */
  readonly detections: Detection[];
  /** The highest confidence for each entry of `detections`, in the same order. */
  readonly confidences: number[];
  /** Why the risk level was chosen. */
  readonly rating: Rating;
  /** Codes that were found but that the sandbox's type does not report, in the order of the vocabulary. */
  readonly unreported: ViolationCode[];
}

interface Counted {
  readonly detection: Detection;
  readonly confidence: number;
}

/** Reported matches counted per code, detector and rule, in the order of the vocabulary. */
function countDetections(reported: readonly Tallied[]): Counted[] {
  const counted = new Map<string, Counted>();
  for (const { code, detector, version, ruleIndex, count: more, confidence: own } of reported) {
    const key = `${code} ${detector} ${ruleIndex ?? ''}`;
    const known = counted.get(key);
    const count = (known?.detection.count ?? 0) + more;
    const detection = { code, detector, version, count, ...(ruleIndex === undefined ? {} : { ruleIndex }) };
    counted.set(key, { detection, confidence: Math.max(known?.confidence ?? 0, own) });
  }
  return [...counted.values()].toSorted(
    ({ detection: a }, { detection: b }) =>
      VIOLATION_CODES.indexOf(a.code) - VIOLATION_CODES.indexOf(b.code) ||
      (a.detector < b.detector ? -1 : a.detector > b.detector ? 1 : 0) ||
      (a.ruleIndex ?? -1) - (b.ruleIndex ?? -1),
  );
}

/** The distinct codes of the matches, in the order of the vocabulary. */
export function codesOf(kinds: readonly Pick<Match, 'code'>[]): ViolationCode[] {
  const codes = new Set(kinds.map(({ code }) => code));
  return VIOLATION_CODES.filter((code) => codes.has(code));
}

/** The highest confidence; 1 if there are no matches. */
export const confidenceOf = (kinds: readonly Pick<Match, 'confidence'>[]): number =>
  kinds.reduce((highest, { confidence }) => Math.max(highest, confidence), 0) || 1;

/** The assessment that goes into a signal of a sandbox with this policy. */
export function assess(matches: readonly Match[], policy: AssessmentPolicy): Assessment {
  const kinds = tally(matches);
  const reported = kinds.filter(({ code }) => isReported(policy.sandboxType, code));
  const violations = codesOf(reported);
  const rating = rate(reported);
  const counted = countDetections(reported);
  return {
    riskLevel: rating.level,
    violations,
    piiDetected: kinds.some((kind) => kind.entity !== null && kind.entity !== 'CUSTOM_RULE' && !isHint(kind)),
    regulation: regulationsConcerned(policy.regulations, violations),
    confidence: confidenceOf(reported),
    alert: rankOfLevel(rating.level) >= rankOfLevel(policy.alertThreshold),
    detections: counted.map(({ detection }) => detection),
    confidences: counted.map(({ confidence }) => confidence),
    rating,
    unreported: codesOf(kinds.filter((kind) => !reported.includes(kind))),
  };
}
