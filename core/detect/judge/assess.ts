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

/** A sandbox's settings that decide how findings are reported. */
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
  /** Whether personal data, tokens or keys were found, not merely hinted at, whatever the sandbox's type reports. */
  readonly piiDetected: boolean;
  readonly regulation: string[];
  /** The highest confidence among the reported findings; 1 without any. */
  readonly confidence: number;
  readonly alert: boolean;
  /** Per reported code, detector and custom rule. */
  readonly detections: Detection[];
  /** The highest confidence among the findings of each of `detections`, in the same order. */
  readonly confidences: number[];
  /** The reason for the risk level. */
  readonly rating: Rating;
  /** Codes that were found but are not reported by the sandbox's type, in the order of the vocabulary. */
  readonly unreported: ViolationCode[];
}

interface Counted {
  readonly detection: Detection;
  readonly confidence: number;
}

/** Reported findings counted per code, detector and rule, in the order of the vocabulary. */
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

/** The codes of findings, each once, in the order of the vocabulary. */
export function codesOf(kinds: readonly Pick<Match, 'code'>[]): ViolationCode[] {
  const codes = new Set(kinds.map(({ code }) => code));
  return VIOLATION_CODES.filter((code) => codes.has(code));
}

/** The highest confidence; 1 without findings. */
export const confidenceOf = (kinds: readonly Pick<Match, 'confidence'>[]): number =>
  kinds.reduce((highest, { confidence }) => Math.max(highest, confidence), 0) || 1;

/** What a signal of a sandbox with this policy says about the findings. */
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
