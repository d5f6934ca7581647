import type { CheckName } from '#core/evidence/frameworks/checks.ts';
import type { SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import type {
  AuditorPermission,
  CheckOutcome,
  ControlStatus,
  CorrelationDimension,
  CorrelationRunStatus,
  ErasureReason,
  EvidenceScope,
  EvidenceType,
  FindingSource,
  FindingStatus,
  FindingType,
  Framework,
  IncidentStatus,
  LedgerKind,
  PackageStatus,
  PolicyAction,
  PolicyEnforcement,
  PolicyStatus,
  REMAINS_IN,
  RetentionAction,
  UserRole,
} from '#schemas/vocabulary.ts';

export const INCIDENT_STATUS: Readonly<Record<IncidentStatus, string>> = {
  OPEN: 'Open',
  INVESTIGATING: 'Investigating',
  REMEDIATING: 'Remediating',
  RESOLVED: 'Resolved',
  VERIFIED: 'Verified',
  CLOSED: 'Closed',
  DISMISSED: 'Dismissed',
};

export const ROLE: Readonly<Record<UserRole, string>> = {
  ANALYST: 'Analyst',
  SECURITY_OFFICER: 'Security officer',
  COMPLIANCE_OFFICER: 'Compliance officer',
  DPO: 'DPO',
  ADMIN: 'Admin',
};

export const PATTERN_TYPE: Readonly<Record<FindingType, string>> = {
  BURST: 'Spike',
  RECURRING: 'Recurring',
  CROSS_SANDBOX: 'Across sandboxes',
  MODEL_REGRESSION: 'Model regression',
  ESCALATION: 'Escalation',
  CAMPAIGN: 'Campaign',
};

export const PATTERN_STATUS: Readonly<Record<FindingStatus, string>> = {
  OPEN: 'Ongoing',
  CLOSED: 'Ended',
  RETRACTED: 'No longer significant',
};

export const PATTERN_SOURCE: Readonly<Record<FindingSource, string>> = {
  STREAM: 'Real time',
  RUN: 'History scans',
};

export const RUN_STATUS: Readonly<Record<CorrelationRunStatus, string>> = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
};

/** Dimensions by which patterns group signals. */
export const DIMENSION: Readonly<Record<CorrelationDimension, string>> = {
  sandbox: 'Sandbox',
  model: 'Model',
  provider: 'Provider',
  violation: 'Violation',
};

export const FRAMEWORK: Readonly<Record<Framework, string>> = {
  GDPR: 'GDPR',
  SOC2: 'SOC 2',
  ISO27001: 'ISO 27001',
  HIPAA: 'HIPAA',
  CCPA: 'CCPA',
  EU_AI_ACT: 'EU AI Act',
  PCI_DSS: 'PCI DSS',
};

export const CONTROL_STATUS: Readonly<Record<ControlStatus, string>> = {
  NO_EVIDENCE: 'No evidence',
  CLEAR: 'Passing',
  ADDRESSED: 'Addressed',
  OPEN: 'Failing',
};

/** Types of evidence for a control. */
export const EVIDENCE_TYPE: Readonly<Record<EvidenceType, string>> = {
  VIOLATION: 'Violations',
  OPERATIONAL: 'Checks',
  BOTH: 'Violations and checks',
};

export const EVIDENCE_SCOPE: Readonly<Record<EvidenceScope, string>> = {
  ALL: 'All sandboxes',
  NAMED: 'Tagged sandboxes',
};

export const CHECK: Readonly<Record<CheckName, string>> = {
  signalsRecorded: 'Signals are recorded',
  chainVerified: 'Ledger is verified',
  chainReverified: 'Ledger is re-verified in the background',
  originRecorded: 'Provider, model and region are recorded',
  sandboxesProtect: 'Sandboxes redact or block',
  personalDataRedacted: 'Personal data is redacted',
  cardNumbersMasked: 'Card numbers are masked',
  keyedHashes: 'Hashes are keyed',
  providerRates: 'Violation rate per provider',
  highRiskTrend: 'Trend of high-risk signals',
  mappedTrend: 'Trend of violations',
  incidentsOpened: 'Serious signals have an incident',
  incidentsVerified: 'Incidents are verified independently',
  incidentsTriaged: 'Incidents are triaged in time',
  noticeDeadlines: 'Notification deadlines',
  retentionRuns: 'Retention policies run',
  retentionFloors: 'Retention meets the minimum',
  erasureReceipts: 'Erasures have receipts',
  packagesBuilt: 'Evidence packages exist',
  policyReports: 'Policies report',
  auditorAccessLogged: 'Auditor access is logged',
  disclosureMade: 'AI use is disclosed',
};

export const CHECK_OUTCOME: Readonly<Record<CheckOutcome, string>> = {
  PASS: 'Passed',
  FAIL: 'Failed',
  NO_EVIDENCE: 'No evidence',
};

export const PACKAGE_STATUS: Readonly<Record<PackageStatus, string>> = {
  GENERATING: 'Generating',
  READY: 'Ready',
  FAILED: 'Failed',
  EXPIRED: 'Expired',
};

/** A policy's response to a breach: report only, or act as well. */
export const POLICY_MODE: Readonly<Record<PolicyEnforcement, string>> = {
  MONITOR: 'Monitor',
  ENFORCE: 'Enforce',
};

export const POLICY_ACTION: Readonly<Record<PolicyAction, string>> = {
  ALERT: 'Report only',
  OPEN_INCIDENT: 'Create incident',
};

export const POLICY_STATUS: Readonly<Record<PolicyStatus, string>> = {
  PASS: 'Passing',
  WARN: 'Warning',
  FAIL: 'Failing',
};

export const RETENTION_ACTION: Readonly<Record<RetentionAction, string>> = {
  DELETE: 'Delete',
  ANONYMIZE: 'Anonymize',
};

export const ERASURE_REASON: Readonly<Record<ErasureReason, string>> = {
  DATA_SUBJECT_REQUEST: 'Requested by the data subject',
  CUSTOMER_REQUEST: 'Requested by the customer',
};

export const ERASURE_STATUS: Readonly<Record<SignalErasureShown['status'], string>> = {
  PENDING: 'In progress',
  ERASED: 'Erased',
};

/** Where a copy of erased content remains for a while. */
export const REMAINS: Readonly<Record<(typeof REMAINS_IN)[number], string>> = {
  EVENT_LOG: 'Event log',
  DEAD_LETTERS: 'Failed audits',
  STATE: 'Working state',
  WAREHOUSE_FILES: 'Warehouse files',
  FREE_PAGES: 'Unused database pages',
  DOWNLOADS: 'Earlier downloads',
  INCIDENTS: 'Incidents',
};

export const LEDGER_KIND: Readonly<Record<LedgerKind, string>> = {
  SIGNAL: 'Signal',
  ERASURE: 'Erasure',
  INCIDENT_EVENT: 'Incident change',
  POLICY_EVENT: 'Configuration change',
  KEY_EVENT: 'API key change',
  AUDITOR_ACCESS: 'Auditor access',
  EVIDENCE_EVENT: 'Evidence event',
};

/** Verdict of a verification of the ledger. */
export const VERIFICATION_RESULT: Readonly<Record<'VALID' | 'INVALID' | 'EMPTY', string>> = {
  VALID: 'Valid',
  INVALID: 'Invalid',
  EMPTY: 'Empty',
};

export const VERIFICATION_MODE: Readonly<Record<'full' | 'incremental' | 'range', string>> = {
  full: 'Full',
  incremental: 'New entries',
  range: 'Range',
};

/** What an auditor may see and do. */
export const PERMISSION: Readonly<Record<AuditorPermission, string>> = {
  READ_SIGNALS: 'Signals',
  READ_ATTESTATIONS: 'Controls and coverage',
  READ_INCIDENTS: 'Incidents and their history',
  VERIFY_HASH_CHAIN: 'Ledger verification, checkpoints and proofs',
  DOWNLOAD_PACKAGES: 'Evidence packages',
};
