/** Every enumeration of the interface, defined once. Types are derived; nothing else lists these words. */

export const RISK_LEVELS = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];
/** Levels whose share of signals patterns track. */
export const ELEVATED_LEVELS: readonly RiskLevel[] = ['HIGH', 'CRITICAL'];

export const VIOLATION_GROUPS = {
  PII: ['PII_LEAK', 'EMAIL', 'SSN', 'CREDIT_CARD', 'PHONE', 'PASSPORT', 'HEALTH_DATA', 'FINANCIAL_DATA'],
  BIAS: [
    'RACIAL_BIAS',
    'GENDER_BIAS',
    'AGE_BIAS',
    'DISABILITY_BIAS',
    'RELIGIOUS_BIAS',
    'INTERSECTIONAL_BIAS',
    'SYCOPHANCY',
  ],
  SECURITY: ['CODE_INJECTION', 'SECRET_LEAK', 'XSS', 'CSRF', 'SSRF', 'DANGEROUS_INSTRUCTIONS'],
  PROMPT_INJECTION: ['PROMPT_INJECTION', 'JAILBREAK_ATTEMPT', 'SYSTEM_PROMPT_EXTRACTION', 'GOAL_HIJACKING'],
  AGENT_SAFETY: ['AGENT_LOOP', 'IRREVERSIBLE_ACTION', 'SCOPE_CREEP', 'PRIVILEGE_ESCALATION'],
  HALLUCINATION: ['FAKE_CITATION', 'INVENTED_STATISTIC', 'FALSE_CONFIDENCE', 'EXPERT_IMPERSONATION'],
  CONTENT: [
    'VIOLENT_CONTENT',
    'SEXUAL_CONTENT',
    'CSAM',
    'HATE_SPEECH',
    'HARASSMENT',
    'SELF_HARM_FACILITATION',
  ],
  FINANCIAL: ['UNLICENSED_ADVICE', 'INSIDER_TRADING', 'MARKET_MANIPULATION', 'FRAUD'],
  LEGAL: ['UNAUTHORIZED_LEGAL_ADVICE', 'COPYRIGHT', 'DEFAMATION'],
  CUSTOM: ['CUSTOM_RULE'],
} as const;
export type ViolationGroup = keyof typeof VIOLATION_GROUPS;
export type ViolationCode = (typeof VIOLATION_GROUPS)[ViolationGroup][number];
export const VIOLATION_CODES = Object.values(VIOLATION_GROUPS).flat() as readonly ViolationCode[];

export const SANDBOX_TYPES = [
  'PII_DETECTION',
  'BIAS_DETECTION',
  'SECURITY_AUDIT',
  'PROMPT_INJECTION',
  'AGENT_SAFETY',
  'HALLUCINATION_DETECTION',
  'CONTENT_POLICY',
  'FINANCIAL_COMPLIANCE',
  'LEGAL_COMPLIANCE',
  'FULL_SPECTRUM',
  'CUSTOM',
] as const;
export type SandboxType = (typeof SANDBOX_TYPES)[number];

const groups = (...names: ViolationGroup[]): readonly ViolationCode[] =>
  names.flatMap((name) => [...VIOLATION_GROUPS[name]]);

/** Reported by every sandbox type. */
const ALWAYS_REPORTED: readonly ViolationCode[] = ['CSAM', 'CUSTOM_RULE'];

/** sandboxType -> the violation codes that its signals report (in addition to `ALWAYS_REPORTED`). */
export const REPORTED_CODES: Readonly<Record<SandboxType, readonly ViolationCode[]>> = {
  PII_DETECTION: [...groups('PII'), 'SECRET_LEAK'],
  BIAS_DETECTION: groups('BIAS'),
  SECURITY_AUDIT: groups('SECURITY', 'PROMPT_INJECTION'),
  PROMPT_INJECTION: groups('PROMPT_INJECTION'),
  AGENT_SAFETY: groups('AGENT_SAFETY'),
  HALLUCINATION_DETECTION: groups('HALLUCINATION'),
  CONTENT_POLICY: groups('CONTENT'),
  FINANCIAL_COMPLIANCE: groups('FINANCIAL'),
  LEGAL_COMPLIANCE: groups('LEGAL'),
  FULL_SPECTRUM: VIOLATION_CODES,
  CUSTOM: [],
};

/** Whether signals of a sandbox of this type report the code. */
export function isReported(sandboxType: SandboxType, code: ViolationCode): boolean {
  return ALWAYS_REPORTED.includes(code) || REPORTED_CODES[sandboxType].includes(code);
}

/**
 * Codes about which the optional language-model judge may be asked besides CUSTOM_RULE: they depend on a text's meaning
 * rather than its wording. Personal data, secrets and attacks are not among them.
 */
export const JUDGED_CODES = [
  'SYCOPHANCY',
  'GOAL_HIJACKING',
  'SCOPE_CREEP',
  'FAKE_CITATION',
  'INVENTED_STATISTIC',
  'FALSE_CONFIDENCE',
  'EXPERT_IMPERSONATION',
  'HARASSMENT',
  'UNLICENSED_ADVICE',
  'UNAUTHORIZED_LEGAL_ADVICE',
  'COPYRIGHT',
  'DEFAMATION',
] as const satisfies readonly ViolationCode[];
export type JudgedCode = (typeof JUDGED_CODES)[number];

export const ENTITY_TYPES = [
  'PERSON',
  'EMAIL',
  'PHONE',
  'ADDRESS',
  'SSN',
  'PASSPORT',
  'DRIVER_LICENSE',
  'NATIONAL_ID',
  'CREDIT_CARD',
  'CVV',
  'BANK_ACCOUNT',
  'IBAN',
  'CRYPTO_WALLET',
  'MEDICAL_RECORD_NUMBER',
  'HEALTH_INSURANCE_ID',
  'PRESCRIPTION_NUMBER',
  'BIOMETRIC_ID',
  'IP_ADDRESS',
  'DEVICE_ID',
  'SESSION_TOKEN',
  'API_KEY',
  'PRIVATE_KEY',
  'PASSWORD',
  'DATE_OF_BIRTH',
  'CUSTOM_RULE',
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** The sandbox setting that suppressed a finding. */
export const SUPPRESSION_REASONS = [
  'ALLOWED_VALUE',
  'ALLOWED_CIDR',
  'ALLOWED_PATTERN',
  'DETECTOR_OFF',
  'LOW_CONFIDENCE',
] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const GUARDIAN_ACTIONS = ['ALLOW_ALL', 'REDACT_AND_CONTINUE', 'BLOCK_ON_DETECT'] as const;
export type GuardianAction = (typeof GUARDIAN_ACTIONS)[number];

/** Possible results of a scan. */
export const SCAN_ACTIONS = ['ALLOW', 'REDACT', 'BLOCK'] as const;
export type ScanAction = (typeof SCAN_ACTIONS)[number];

/** Texts that a scan can check. */
export const SCAN_SOURCES = ['userInput', 'systemPrompt'] as const;

export const REDACTION_STRATEGIES = ['FULL', 'PARTIAL', 'HASHED'] as const;
export type RedactionStrategy = (typeof REDACTION_STRATEGIES)[number];

export const REGIONS = ['GLOBAL', 'US', 'EU', 'UK', 'APAC'] as const;
export type Region = (typeof REGIONS)[number];

export const PLANS = ['DEV', 'PRO', 'PRO_MAX', 'ENTERPRISE'] as const;
export type Plan = (typeof PLANS)[number];

export const CUSTOMER_TYPES = ['INDIVIDUAL', 'COMPANY'] as const;
export type CustomerType = (typeof CUSTOMER_TYPES)[number];

export const AUDIT_STATUSES = ['QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export type AuditStatus = (typeof AUDIT_STATUSES)[number];

export const AUDIT_SOURCES = ['INGEST', 'INTERNAL'] as const;
export type AuditSource = (typeof AUDIT_SOURCES)[number];

export const STEP_NAMES = ['ACCEPTED', 'ANALYZING', 'RETRYING', 'STORED', 'DEAD_LETTERED'] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** Why an audit ended FAILED, or a retry was needed. */
export const FAILURE_CODES = [
  'ANALYSIS_FAILED',
  'UNDECODABLE',
  'CANNOT_OPEN',
  'KEY_DESTROYED',
  'CRASHED',
  'LOST',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Why a partition is stopped: it is not read until an operator fixes the cause or accepts the loss. */
export const STOP_KINDS = ['RECORD_REFUSED', 'LOG_HOLE', 'TOO_MANY_DEAD_LETTERS', 'START_REFUSED'] as const;
export type StopKind = (typeof STOP_KINDS)[number];

export const INCIDENT_STATUSES = [
  'OPEN',
  'INVESTIGATING',
  'REMEDIATING',
  'RESOLVED',
  'VERIFIED',
  'CLOSED',
  'DISMISSED',
] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

/** The role in which a user changes an incident's status. */
export const USER_ROLES = ['ANALYST', 'SECURITY_OFFICER', 'COMPLIANCE_OFFICER', 'DPO', 'ADMIN'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** What an auditor's token may do. */
export const AUDITOR_PERMISSIONS = [
  'READ_SIGNALS',
  'READ_ATTESTATIONS',
  'READ_INCIDENTS',
  'VERIFY_HASH_CHAIN',
  'DOWNLOAD_PACKAGES',
] as const;
export type AuditorPermission = (typeof AUDITOR_PERMISSIONS)[number];

export const LEDGER_KINDS = [
  'SIGNAL',
  'ERASURE',
  'INCIDENT_EVENT',
  'POLICY_EVENT',
  'KEY_EVENT',
  'AUDITOR_ACCESS',
  'EVIDENCE_EVENT',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * The kinds that the erasure of a customer names. A sink and a verifier refuse an ERASURE that names an unknown kind,
 * so a new kind is added here one release after it was added above, and before anything emits it.
 */
export const ERASED_KINDS = [
  'SIGNAL',
  'ERASURE',
  'INCIDENT_EVENT',
  'POLICY_EVENT',
  'KEY_EVENT',
  'AUDITOR_ACCESS',
  'EVIDENCE_EVENT',
] as const satisfies readonly LedgerKind[];

/** Why a signal is erased: a person mentioned in its texts requested it, or the customer has its own reasons. */
export const ERASURE_REASONS = ['DATA_SUBJECT_REQUEST', 'CUSTOMER_REQUEST'] as const;
export type ErasureReason = (typeof ERASURE_REASONS)[number];

/** What happens to signals past their retention: the whole signal is erased, or only its detail. */
export const RETENTION_ACTIONS = ['DELETE', 'ANONYMIZE'] as const;
export type RetentionAction = (typeof RETENTION_ACTIONS)[number];

/** Where erased content remains for a while. */
export const REMAINS_IN = [
  'EVENT_LOG',
  'DEAD_LETTERS',
  'STATE',
  'WAREHOUSE_FILES',
  'FREE_PAGES',
  'DOWNLOADS',
  'INCIDENTS',
] as const;

/** Alternative spellings of regulations, mapped before they are stored. */
export const REGULATION_ALIASES: Readonly<Record<string, string>> = {
  ISO_27001: 'ISO27001',
  'ISO-27001': 'ISO27001',
  'PCI-DSS': 'PCI_DSS',
  CPRA: 'CCPA',
};

/** Frameworks that evidence is grouped by; a sandbox names them among its regulations. */
export const FRAMEWORKS = ['GDPR', 'SOC2', 'ISO27001', 'HIPAA', 'CCPA', 'EU_AI_ACT', 'PCI_DSS'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** Whether breaches of a policy only show in its reports, or also trigger actions. */
export const POLICY_ENFORCEMENTS = ['MONITOR', 'ENFORCE'] as const;
export type PolicyEnforcement = (typeof POLICY_ENFORCEMENTS)[number];

/** What a breach of a rule triggers under ENFORCE. */
export const POLICY_ACTIONS = ['ALERT', 'OPEN_INCIDENT'] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

/** Status of a policy: no rule near its limit, one near it, one beyond it. */
export const POLICY_STATUSES = ['PASS', 'WARN', 'FAIL'] as const;
export type PolicyStatus = (typeof POLICY_STATUSES)[number];

/** Status of a control: no evidence, no violations, only violations that were dealt with, or open violations. */
export const CONTROL_STATUSES = ['NO_EVIDENCE', 'CLEAR', 'ADDRESSED', 'OPEN'] as const;
export type ControlStatus = (typeof CONTROL_STATUSES)[number];

/** What a control is evaluated by: violations in signals, how the service is set up and run, or both. */
export const EVIDENCE_TYPES = ['VIOLATION', 'OPERATIONAL', 'BOTH'] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

export const CHECK_OUTCOMES = ['PASS', 'FAIL', 'NO_EVIDENCE'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** NAMED: sandboxes name the framework, and only their signals count. ALL: no sandbox does, and all signals count. */
export const EVIDENCE_SCOPES = ['ALL', 'NAMED'] as const;
export type EvidenceScope = (typeof EVIDENCE_SCOPES)[number];

/** An evidence package is being created, can be downloaded, could not be created, or is no longer available. */
export const PACKAGE_STATUSES = ['GENERATING', 'READY', 'FAILED', 'EXPIRED'] as const;
export type PackageStatus = (typeof PACKAGE_STATUSES)[number];

/** Patterns over many signals. */
export const FINDING_TYPES = [
  'BURST',
  'RECURRING',
  'CROSS_SANDBOX',
  'MODEL_REGRESSION',
  'ESCALATION',
  'CAMPAIGN',
] as const;
export type FindingType = (typeof FINDING_TYPES)[number];

/** OPEN: its window is open; CLOSED: it no longer changes, except by erasures; RETRACTED: it no longer holds. */
export const FINDING_STATUSES = ['OPEN', 'CLOSED', 'RETRACTED'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** Found by a run over history, or while signals were folded. */
export const FINDING_SOURCES = ['RUN', 'STREAM'] as const;
export type FindingSource = (typeof FINDING_SOURCES)[number];

export const CORRELATION_RUN_STATUSES = ['COMPLETED', 'RUNNING', 'FAILED'] as const;
export type CorrelationRunStatus = (typeof CORRELATION_RUN_STATUSES)[number];

/** Dimensions by which patterns group signals. */
export const CORRELATION_DIMENSIONS = ['sandbox', 'model', 'provider', 'violation'] as const;
export type CorrelationDimension = (typeof CORRELATION_DIMENSIONS)[number];
