import {
  isReported,
  type RiskLevel,
  type SandboxType,
  VIOLATION_CODES,
  type ViolationCode,
} from '../../schemas/vocabulary.ts';
import type { Finding } from './detect.ts';
import { regulationsConcerned } from './regulations.ts';
import { type Rating, rankOfLevel, rate } from './severity.ts';
import { finish } from './steps.ts';
import { type Tallied, tallyInSteps } from './tally.ts';

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
  /** Where the risk level comes from. */
  readonly rating: Rating;
  /** Codes that were found and that the sandbox's type does not report, in the order of the vocabulary. */
  readonly unreported: ViolationCode[];
}

/** Reported finds counted per code, detector and rule, in the order of the vocabulary. */
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

/** The highest confidence; 1 where nothing was found. */
export const confidenceOf = (kinds: readonly Pick<Finding, 'confidence'>[]): number =>
  kinds.reduce((highest, { confidence }) => Math.max(highest, confidence), 0) || 1;

/** What a signal of a sandbox with this policy says about the findings. Yields after each stretch of work. */
export function* assessInSteps(
  findings: readonly Finding[],
  policy: AssessmentPolicy,
): Generator<void, Assessment> {
  const kinds = yield* tallyInSteps(findings);
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

/** The same in one go. */
export function assess(findings: readonly Finding[], policy: AssessmentPolicy): Assessment {
  return finish(assessInSteps(findings, policy));
}
