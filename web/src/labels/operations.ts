import type { ReplayRefusal } from '#schemas/api/dead-letters.ts';
import type { ExportFormat } from '#schemas/api/export.ts';
import type { CHANGEABLE } from '#schemas/api/sandboxes.ts';
import type {
  AuditStatus,
  CustomerType,
  FailureCode,
  GuardianAction,
  Plan,
  RedactionStrategy,
  Region,
  SandboxType,
  SCAN_SOURCES,
  ScanAction,
  StepName,
} from '#schemas/vocabulary.ts';

export const AUDIT_STATUS: Readonly<Record<AuditStatus, string>> = {
  QUEUED: 'Queued',
  PROCESSING: 'Processing',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
};

export const STEP: Readonly<Record<StepName, string>> = {
  ACCEPTED: 'Accepted',
  ANALYZING: 'Analysis started',
  RETRYING: 'Retry scheduled',
  STORED: 'Signal recorded',
  DEAD_LETTERED: 'Failed',
};

export const FAILURE: Readonly<Record<FailureCode, string>> = {
  ANALYSIS_FAILED: 'Analysis failed',
  UNDECODABLE: 'Unreadable record',
  CANNOT_OPEN: 'Cannot decrypt',
  KEY_DESTROYED: 'Key destroyed',
  CRASHED: 'Analyzer crashed',
  LOST: 'Lost before analysis',
};

/** Why an audit was not replayed. */
export const REPLAY_REFUSAL: Readonly<Record<ReplayRefusal, string>> = {
  ALREADY_REPLAYED: 'Replay in progress',
  KEY_DESTROYED: 'Key destroyed',
  RECORD_GONE: 'Record expired',
  REPLAY_LIMIT: 'Failed 100 replays',
  ERASED: 'Being erased',
};

export const DETECTION_PROFILE: Readonly<Record<SandboxType, string>> = {
  PII_DETECTION: 'Personal data',
  BIAS_DETECTION: 'Bias',
  SECURITY_AUDIT: 'Security',
  PROMPT_INJECTION: 'Prompt injection',
  AGENT_SAFETY: 'Agent safety',
  HALLUCINATION_DETECTION: 'Hallucinations',
  CONTENT_POLICY: 'Harmful content',
  FINANCIAL_COMPLIANCE: 'Financial compliance',
  LEGAL_COMPLIANCE: 'Legal compliance',
  FULL_SPECTRUM: 'Everything',
  CUSTOM: 'Custom rules',
};

export const GUARDRAIL: Readonly<Record<GuardianAction, string>> = {
  ALLOW_ALL: 'Log only',
  REDACT_AND_CONTINUE: 'Redact and continue',
  BLOCK_ON_DETECT: 'Block',
};

export const SCAN_ACTION: Readonly<Record<ScanAction, string>> = {
  ALLOW: 'Allowed',
  REDACT: 'Redacted',
  BLOCK: 'Blocked',
};

export const SCAN_SOURCE: Readonly<Record<(typeof SCAN_SOURCES)[number], string>> = {
  userInput: 'Prompt',
  systemPrompt: 'System prompt',
};

export const REDACTION_STYLE: Readonly<Record<RedactionStrategy, string>> = {
  FULL: 'Full',
  PARTIAL: 'Partial',
  HASHED: 'Hashed',
};

export const REGION: Readonly<Record<Region, string>> = {
  GLOBAL: 'Global',
  US: 'United States',
  EU: 'European Union',
  UK: 'United Kingdom',
  APAC: 'Asia-Pacific',
};

export const SANDBOX_FIELD: Readonly<Record<(typeof CHANGEABLE)[number], string>> = {
  name: 'Name',
  sandboxType: 'Detection profile',
  regulations: 'Regulations',
  alertThreshold: 'Alert threshold',
  guardianAction: 'Guardrail',
  customRules: 'Custom rules',
  region: 'Region',
  active: 'Active',
  redactionStrategy: 'Redaction style',
  allowedValues: 'Allowed values',
  allowedCidrs: 'Allowed networks',
  allowedPatterns: 'Allowed patterns',
  detectorsOff: 'Detectors off',
  minConfidence: 'Minimum confidence',
  deletedAt: 'Deleted',
};

export const PLAN: Readonly<Record<Plan, string>> = {
  DEV: 'Developer',
  PRO: 'Pro',
  PRO_MAX: 'Pro Max',
  ENTERPRISE: 'Enterprise',
};

export const ACCOUNT_TYPE: Readonly<Record<CustomerType, string>> = {
  INDIVIDUAL: 'Individual',
  COMPANY: 'Company',
};

/** For API keys and auditors' tokens. */
export const ACCESS_STATUS: Readonly<Record<'active' | 'revoked' | 'expired', string>> = {
  active: 'Active',
  revoked: 'Revoked',
  expired: 'Expired',
};

export const EXPORT_FORMAT: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
};
