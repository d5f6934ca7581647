import {
  CHECK,
  CHECK_OUTCOME,
  CONTROL_STATUS,
  DIMENSION,
  ERASURE_REASON,
  ERASURE_STATUS,
  EVIDENCE_SCOPE,
  EVIDENCE_TYPE,
  FRAMEWORK,
  INCIDENT_STATUS,
  LEDGER_KIND,
  PACKAGE_STATUS,
  PATTERN_SOURCE,
  PATTERN_STATUS,
  PATTERN_TYPE,
  PERMISSION,
  POLICY_ACTION,
  POLICY_MODE,
  POLICY_STATUS,
  REMAINS,
  RETENTION_ACTION,
  ROLE,
  RUN_STATUS,
  VERIFICATION_MODE,
  VERIFICATION_RESULT,
} from './evidence.ts';
import {
  ACCESS_STATUS,
  ACCOUNT_TYPE,
  AUDIT_STATUS,
  DETECTION_PROFILE,
  EXPORT_FORMAT,
  FAILURE,
  GUARDRAIL,
  PLAN,
  REDACTION_STYLE,
  REGION,
  REPLAY_REFUSAL,
  SANDBOX_FIELD,
  SCAN_ACTION,
  SCAN_SOURCE,
  STEP,
} from './operations.ts';
import { AUDIT_SOURCE, DETECTOR, ENTITY_TYPE, RISK_LEVEL, SUPPRESSION_REASON, VIOLATION } from './signals.ts';

/** Words for every code that the API serves. A new code does not compile until it has a label. */
export const LABELS = {
  accessStatus: ACCESS_STATUS,
  accountType: ACCOUNT_TYPE,
  auditSource: AUDIT_SOURCE,
  auditStatus: AUDIT_STATUS,
  check: CHECK,
  checkOutcome: CHECK_OUTCOME,
  controlStatus: CONTROL_STATUS,
  detectionProfile: DETECTION_PROFILE,
  detector: DETECTOR,
  dimension: DIMENSION,
  entityType: ENTITY_TYPE,
  erasureReason: ERASURE_REASON,
  erasureStatus: ERASURE_STATUS,
  evidenceScope: EVIDENCE_SCOPE,
  evidenceType: EVIDENCE_TYPE,
  exportFormat: EXPORT_FORMAT,
  failure: FAILURE,
  framework: FRAMEWORK,
  guardrail: GUARDRAIL,
  incidentStatus: INCIDENT_STATUS,
  ledgerKind: LEDGER_KIND,
  packageStatus: PACKAGE_STATUS,
  patternSource: PATTERN_SOURCE,
  patternStatus: PATTERN_STATUS,
  patternType: PATTERN_TYPE,
  permission: PERMISSION,
  plan: PLAN,
  policyAction: POLICY_ACTION,
  policyMode: POLICY_MODE,
  policyStatus: POLICY_STATUS,
  redactionStyle: REDACTION_STYLE,
  region: REGION,
  remains: REMAINS,
  replayRefusal: REPLAY_REFUSAL,
  retentionAction: RETENTION_ACTION,
  riskLevel: RISK_LEVEL,
  role: ROLE,
  runStatus: RUN_STATUS,
  sandboxField: SANDBOX_FIELD,
  scanAction: SCAN_ACTION,
  scanSource: SCAN_SOURCE,
  step: STEP,
  suppressionReason: SUPPRESSION_REASON,
  verificationMode: VERIFICATION_MODE,
  verificationResult: VERIFICATION_RESULT,
  violation: VIOLATION,
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type LabelKind = keyof typeof LABELS;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `NEW_CODE` and `new-code` become "New code"; other text stays unchanged. */
const wordsOf = (code: string): string =>
  /^[\w-]+$/.test(code) ? capitalized(code.replace(/[_-]+/g, ' ').trim().toLowerCase()) : code;

/** The label of a code. A code added by a newer release is spelled out in words. */
export function label(kind: LabelKind, code: string): string {
  const labels: Readonly<Record<string, string>> = LABELS[kind];
  return Object.hasOwn(labels, code) ? labels[code]! : wordsOf(code);
}

/** A label within a sentence: "Card number" becomes "card number", "DPO" and "XSS" stay. */
export const inSentence = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Violations that are countable. */
const COUNTABLE: readonly string[] = [
  'EMAIL',
  'SSN',
  'CREDIT_CARD',
  'PHONE',
  'PASSPORT',
  'SECRET_LEAK',
  'JAILBREAK_ATTEMPT',
  'AGENT_LOOP',
  'IRREVERSIBLE_ACTION',
  'FAKE_CITATION',
  'INVENTED_STATISTIC',
  'CUSTOM_RULE',
];

/** A violation within a sentence: `an email address`, `fraud`. */
export function violationPhrase(code: string): string {
  const text = inSentence(label('violation', code));
  if (!COUNTABLE.includes(code)) return text;
  return `${/^[aeiou]/.test(text) ? 'an' : 'a'} ${text}`;
}

/** Frameworks have labels; a customer may name other regulations by codes such as LGPD. */
export const regulationLabel = (code: string): string =>
  Object.hasOwn(FRAMEWORK, code) ? label('framework', code) : code.replaceAll('_', ' ');

export const CLEAN = 'Clean';

/** The violations of a signal; one without any is clean. */
export const violationsText = (codes: readonly string[]): string =>
  codes.length === 0 ? CLEAN : codes.map((code) => label('violation', code)).join(', ');
