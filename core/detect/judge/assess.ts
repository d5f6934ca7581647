import {
  isReported,
  type RiskLevel,
  type SandboxType,
  VIOLATION_CODES,
  type ViolationCode,
} from '#schemas/vocabulary.ts';
import type { Finding } from '../finding.ts';
import { type Tallied, tally } from '../report/tally.ts';
import { regulationsConcerned } from './regulations.ts';
import { type Rating, rankOfLevel, rate } from './severity.ts';

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
  /** Whether personal data, tokens or keys were found, whatever the sandbox's type reports. */
  readonly piiDetected: boolean;
  readonly regulation: string[];
  /** The highest confidence among the reported findings; 1 without any. */
  readonly confidence: number;
  readonly alert: boolean;
  /** Per reported code, detector and custom rule. */
  readonly detections: Detection[];
  /** The reason for the risk level. */
  readonly rating: Rating;
  /** Codes that were found but are not reported by the sandbox's type, in the order of the vocabulary. */
  readonly unreported: ViolationCode[];
}

/** Reported findings counted per code, detector and rule, in the order of the vocabulary. */
function countDetections(reported: readonly Tallied[]): Detection[] {
  const counted = new Map<string, Detection>();
  for (const { code, detector, version, ruleIndex, count: more } of reported) {
    const key = `${code} ${detector} ${ruleIndex ?? ''}`;
    const count = (counted.get(key)?.count ?? 0) + more;
    counted.set(key, { code, detector, version, count, ...(ruleIndex === undefined ? {} : { ruleIndex }) });
  }
  return [...counted.values()].toSorted(
    (a, b) =>
      VIOLATION_CODES.indexOf(a.code) - VIOLATION_CODES.indexOf(b.code) ||
      (a.detector < b.detector ? -1 : a.detector > b.detector ? 1 : 0) ||
      (a.ruleIndex ?? -1) - (b.ruleIndex ?? -1),
  );
}

/** The codes of findings, each once, in the order of the vocabulary. */
export function codesOf(kinds: readonly Pick<Finding, 'code'>[]): ViolationCode[] {
  const codes = new Set(kinds.map(({ code }) => code));
  return VIOLATION_CODES.filter((code) => codes.has(code));
}

/** The highest confidence; 1 without findings. */
export const confidenceOf = (kinds: readonly Pick<Finding, 'confidence'>[]): number =>
  kinds.reduce((highest, { confidence }) => Math.max(highest, confidence), 0) || 1;

/** What a signal of a sandbox with this policy says about the findings. */
export function assess(findings: readonly Finding[], policy: AssessmentPolicy): Assessment {
  const kinds = tally(findings);
  const reported = kinds.filter(({ code }) => isReported(policy.sandboxType, code));
  const violations = codesOf(reported);
  const rating = rate(reported);
  return {
    riskLevel: rating.level,
    violations,
    piiDetected: kinds.some(({ entity }) => entity !== null && entity !== 'CUSTOM_RULE'),
    regulation: regulationsConcerned(policy.regulations, violations),
    confidence: confidenceOf(reported),
    alert: rankOfLevel(rating.level) >= rankOfLevel(policy.alertThreshold),
    detections: countDetections(reported),
    rating,
    unreported: codesOf(kinds.filter((kind) => !reported.includes(kind))),
  };
}
