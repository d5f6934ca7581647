import {
  type Framework,
  type PolicyAction,
  RISK_LEVELS,
  type RiskLevel,
  VIOLATION_CODES,
} from '#schemas/vocabulary.ts';
import { CATALOGUES } from '../frameworks/catalogues.ts';

/** A policy rule: breached when more than `maxCount` signals count within `windowDays` days. */
export interface PolicyRule {
  /** A violation code; `*`: signals with any code. */
  readonly code: string;
  readonly minRiskLevel: RiskLevel;
  readonly maxCount: number;
  readonly windowDays: number;
  readonly action: PolicyAction;
}

/** The fields that decide whether a rule counts a signal. */
export interface RuledSignal {
  readonly riskLevel: string;
  readonly violations: readonly string[];
}

export const ANY_CODE = '*';
export const DAY_MS = 86_400_000;

const rankOf = (riskLevel: string): number => RISK_LEVELS.indexOf(riskLevel as RiskLevel);

/** An erased signal has no risk level, and no rule counts it. */
export function counts(rule: Pick<PolicyRule, 'code' | 'minRiskLevel'>, signal: RuledSignal): boolean {
  const { riskLevel, violations } = signal;
  if (rankOf(riskLevel) < rankOf(rule.minRiskLevel)) return false;
  return rule.code === ANY_CODE ? violations.length > 0 : violations.includes(rule.code);
}

/** Defaults of a rule. */
const RULE_DEFAULTS = {
  minRiskLevel: 'HIGH',
  maxCount: 0,
  windowDays: 30,
  action: 'OPEN_INCIDENT',
} as const satisfies Partial<PolicyRule>;

/**
 * The rules of a policy that defines none: no HIGH or CRITICAL signal with a code that counts against the framework.
 */
export function frameworkRules(framework: Framework): PolicyRule[] {
  const controls = CATALOGUES.find((one) => one.framework === framework)?.controls ?? [];
  const mapped = new Set(controls.flatMap(({ mapping }) => mapping?.codes ?? []));
  return VIOLATION_CODES.filter((code) => mapped.has(code)).map((code) => ({ code, ...RULE_DEFAULTS }));
}
