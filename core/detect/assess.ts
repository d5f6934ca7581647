import {
  isReported,
  type RiskLevel,
  type SandboxType,
  VIOLATION_CODES,
  type ViolationCode,
} from '../../schemas/vocabulary.ts';
import type { Finding } from './detect.ts';
import { regulationsConcerned } from './regulations.ts';
import { rankOfLevel, rate } from './severity.ts';

/** What of a sandbox decides how findings are reported. */
export interface AssessmentPolicy {
  readonly sandboxType: SandboxType;
  readonly regulations: readonly string[];
  readonly alertThreshold: RiskLevel;
}

export interface Detection {
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
  /** Personal data, tokens and keys included, whatever the sandbox's type reports. */
  readonly piiDetected: boolean;
  readonly regulation: string[];
  /** The highest of the finds reported; 1 without any. */
  readonly confidence: number;
  readonly alert: boolean;
  /** Per reported code, detector and custom rule. */
  readonly detections: Detection[];
}

/** Reported finds counted per code, detector and rule, in the order of the vocabulary. */
function countDetections(reported: readonly Finding[]): Detection[] {
  const counted = new Map<string, Detection>();
  for (const { code, detector, version, ruleIndex } of reported) {
    const key = `${code} ${detector} ${ruleIndex ?? ''}`;
    const count = (counted.get(key)?.count ?? 0) + 1;
    counted.set(key, { code, detector, version, count, ...(ruleIndex === undefined ? {} : { ruleIndex }) });
  }
  return [...counted.values()].toSorted(
    (a, b) =>
      VIOLATION_CODES.indexOf(a.code) - VIOLATION_CODES.indexOf(b.code) ||
      (a.detector < b.detector ? -1 : a.detector > b.detector ? 1 : 0) ||
      (a.ruleIndex ?? -1) - (b.ruleIndex ?? -1),
  );
}

/** What a signal of a sandbox with this policy says about the findings. */
export function assess(findings: readonly Finding[], policy: AssessmentPolicy): Assessment {
  const reported = findings.filter((finding) => isReported(policy.sandboxType, finding.code));
  const codes = new Set(reported.map((finding) => finding.code));
  const violations = VIOLATION_CODES.filter((code) => codes.has(code));
  const { level } = rate(reported);
  return {
    riskLevel: level,
    violations,
    piiDetected: findings.some((finding) => finding.entity !== null && finding.entity !== 'CUSTOM_RULE'),
    regulation: regulationsConcerned(policy.regulations, violations),
    confidence: reported.reduce((highest, finding) => Math.max(highest, finding.confidence), 0) || 1,
    alert: rankOfLevel(level) >= rankOfLevel(policy.alertThreshold),
    detections: countDetections(reported),
  };
}
