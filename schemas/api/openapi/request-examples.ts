/** An example request of an operation, shown in the OpenAPI description and sent to the service by tests. */
interface RequestExample {
  /** One value per parameter. */
  readonly path?: Readonly<Record<string, string>>;
  /** One value per parameter. Each is valid alone; not all of them can be combined in one request. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Ids and slugs in the examples. Each represents a record of its kind; tests replace it with their own. */
export const SAMPLES = {
  auditId: '01993d5a-7c00-7000-8000-0000000000a1',
  sandboxId: '01993d5a-7c00-7000-8000-0000000000b1',
  sandboxSlug: 'customer_support',
  customerId: '01993d5a-7c00-7000-8000-0000000000c1',
  keyId: '01993d5a-7c00-7000-8000-0000000000d1',
  deadLetterId: '01993d5a-7c00-7000-8000-0000000000e1',
  incidentId: '01993d5a-7c00-7000-8000-0000000000a2',
  auditorId: '01993d5a-7c00-7000-8000-0000000000a3',
  erasedId: '01993d5a-7c00-7000-8000-0000000000a4',
  policyId: '01993d5a-7c00-7000-8000-0000000000b2',
  retentionPolicyId: '01993d5a-7c00-7000-8000-0000000000a5',
  packageId: '01993d5a-7c00-7000-8000-0000000000a6',
  correlationId: '01993d5a-7c00-7000-8000-0000000000a7',
  verificationId: '01993d5a-7c00-7000-8000-0000000000f1',
  uiFile: 'index-Bx3Kq9aT.js',
  cursor: 'WzIsMTc5NTMwNTYwMDAwMF0',
} as const;
export type SampleName = keyof typeof SAMPLES;

const page = { page: '1', limit: '20', cursor: SAMPLES.cursor };
const dates = {
  from: '2026-11-01',
  to: '2026-11-30',
  startDate: '2026-11-01',
  endDate: '2026-11-30T12:00:00Z',
};

const sandbox = {
  name: 'Customer support',
  sandboxType: 'PII_DETECTION',
  regulations: ['GDPR', 'EU_AI_ACT'],
  alertThreshold: 'HIGH',
  guardianAction: 'REDACT_AND_CONTINUE',
  customRules: ['internal use only'],
  region: 'EU',
  active: true,
  redactionStrategy: 'PARTIAL',
  allowedValues: ['support@example.com', '@example.org'],
  allowedCidrs: ['203.0.113.0/24'],
  allowedPatterns: ['test-\\d+@example\\.com'],
  detectorsOff: ['high-entropy'],
  minConfidence: { default: 0.3, PERSON: 0.8 },
};

const policy = {
  name: 'No card numbers',
  framework: 'PCI_DSS',
  description: 'Agreed with the bank in November.',
  sandboxSlugs: [SAMPLES.sandboxSlug],
  rules: [
    { code: 'CREDIT_CARD', minRiskLevel: 'MEDIUM', maxCount: 0, windowDays: 30, action: 'OPEN_INCIDENT' },
    { code: '*', minRiskLevel: 'HIGH', maxCount: 10, windowDays: 7, action: 'ALERT' },
  ],
  enforcement: 'ENFORCE',
  active: true,
};

const retentionPolicy = {
  name: 'Two years',
  retentionDays: 730,
  framework: 'PCI_DSS',
  sandboxSlug: SAMPLES.sandboxSlug,
  action: 'ANONYMIZE',
  legalHold: false,
  active: true,
};

const correlation = {
  windowMinutes: 60,
  minSignals: 3,
  dimensions: ['sandbox', 'model', 'provider', 'violation'],
};

const triplet = {
  sandboxSlug: SAMPLES.sandboxSlug,
  provider: 'openai',
  model: 'gpt-5',
  prompt: 'Please write to ann@example.org about her order.',
  response: 'Dear Ann, your order is on its way.',
  metadata: {
    promptTokens: 12,
    outputTokens: 9,
    hasThinkingBlock: true,
    thinkingBlock: 'She asks for a mail to a customer.',
    customFields: { ticket: 'T-4711' },
  },
};

const auditor = {
  name: 'Ann Auditor, Example Audits',
  email: 'ann@audits.example',
  permissions: ['READ_SIGNALS', 'READ_ATTESTATIONS', 'READ_INCIDENTS', 'VERIFY_HASH_CHAIN'],
  frameworks: ['GDPR'],
  periodStart: '2026-01-01',
  periodEnd: '2036-12-31',
  expiresAt: '2027-09-30',
};
const ofCustomer = { customerId: SAMPLES.customerId };

const exported = {
  format: 'csv',
  riskLevel: 'HIGH,CRITICAL',
  sandboxSlug: SAMPLES.sandboxSlug,
  provider: 'openai',
  model: 'gpt-5',
  violation: 'EMAIL',
  bom: 'true',
  ...dates,
  asOf: '2026-11-01',
  treeSize: '0',
};

export const EXAMPLES: Readonly<Record<string, RequestExample>> = {
  ingestAudit: { body: triplet },
  ingestBatch: { body: [triplet] },
  listAudits: {
    query: {
      sandboxSlug: SAMPLES.sandboxSlug,
      provider: 'openai',
      model: 'gpt-5',
      status: 'COMPLETED',
      riskLevel: 'HIGH',
      erased: 'false',
      ...dates,
      ...page,
    },
  },
  getAudit: { path: { id: SAMPLES.auditId }, query: { wait: '5' } },
  scanPrompt: {
    body: {
      sandbox: SAMPLES.sandboxSlug,
      provider: 'openai',
      model: 'gpt-5',
      systemPrompt: 'You help customers of a shop.',
      userInput: 'Please write to ann@example.org about my order.',
    },
  },
  createSandbox: { body: { ...sandbox, slug: 'support_emails' } },
  listSandboxes: { query: { includeDeleted: 'true', ...page } },
  getSandbox: { path: { id: SAMPLES.sandboxId }, query: { includeDeleted: 'true' } },
  listSandboxVersions: { path: { id: SAMPLES.sandboxId }, query: page },
  getSandboxVersion: { path: { id: SAMPLES.sandboxId, version: '1' } },
  updateSandbox: {
    path: { id: SAMPLES.sandboxId },
    body: { ...sandbox, slug: SAMPLES.sandboxSlug },
  },
  replaceSandbox: { path: { id: SAMPLES.sandboxId }, body: { ...sandbox, slug: SAMPLES.sandboxSlug } },
  deleteSandbox: { path: { id: SAMPLES.sandboxId } },
  listSignals: {
    query: {
      riskLevel: 'HIGH,CRITICAL',
      sandboxSlug: SAMPLES.sandboxSlug,
      provider: 'openai',
      model: 'gpt-5',
      violation: 'EMAIL',
      ...dates,
      ...page,
      rows: 'once',
    },
  },
  exportSignals: { query: exported },
  getExportManifest: { query: exported },
  getSignal: { path: { id: SAMPLES.auditId } },
  getStats: { query: { sandboxSlug: SAMPLES.sandboxSlug, ...dates } },
  getTimeseries: {
    query: {
      interval: 'day',
      riskLevel: 'HIGH,CRITICAL',
      sandboxSlug: SAMPLES.sandboxSlug,
      provider: 'openai',
      model: 'gpt-5',
      violation: 'EMAIL',
      ...dates,
    },
  },
  getBooks: {},
  streamSignals: { query: { lastEventId: '1-41' } },
  listDeadLetters: {
    query: { sandboxSlug: SAMPLES.sandboxSlug, reason: 'ANALYSIS_FAILED', ...dates, ...page },
  },
  listDeadLetterReasons: {
    query: { sandboxSlug: SAMPLES.sandboxSlug, reason: 'ANALYSIS_FAILED', ...dates },
  },
  replayDeadLetter: { path: { id: SAMPLES.deadLetterId } },
  replayDeadLetters: {
    body: {
      filter: {
        sandboxSlug: SAMPLES.sandboxSlug,
        reason: 'ANALYSIS_FAILED',
        from: dates.from,
        to: dates.to,
      },
      dryRun: true,
      cursor: SAMPLES.cursor,
    },
  },
  verifyHashChain: { query: { mode: 'range', fromIndex: '0', toIndex: '255', job: 'false' } },
  getVerification: { path: { id: SAMPLES.verificationId } },
  listSigningKeys: {},
  getCheckpoint: {},
  getInclusionProof: { query: { auditId: SAMPLES.auditId } },
  acceptRollback: {
    path: { id: SAMPLES.customerId },
    body: { reason: 'restored from the backup of Tuesday', acceptedBy: 'ops@example.org' },
  },
  getConsistencyProof: { query: { fromSize: '0', toSize: '1' } },
  createIncident: {
    body: {
      signalId: SAMPLES.auditId,
      title: 'Address of a customer in an answer',
      description: 'Support noticed it when the customer wrote back.',
      dueAt: '2026-12-01T12:00:00.000Z',
    },
  },
  listIncidents: {
    query: { status: 'OPEN', severity: 'HIGH', signalId: SAMPLES.auditId, ...dates, ...page },
  },
  getIncident: { path: { id: SAMPLES.incidentId } },
  moveIncident: {
    path: { id: SAMPLES.incidentId },
    body: {
      status: 'INVESTIGATING',
      userId: 'ann@example.org',
      userRole: 'COMPLIANCE_OFFICER',
      comment: 'Looking at the conversation.',
      resolution: 'The prompt of the assistant forbids it now.',
    },
  },
  listAttestations: { query: { framework: 'GDPR', ...dates, ...page } },
  getCoverage: { query: { framework: 'GDPR', ...dates } },
  createAuditor: { body: auditor },
  listAuditors: { query: { ...dates, ...page } },
  revokeAuditor: { path: { id: SAMPLES.auditorId } },
  auditSignals: {
    query: {
      ...ofCustomer,
      riskLevel: 'HIGH,CRITICAL',
      sandboxSlug: SAMPLES.sandboxSlug,
      provider: 'openai',
      model: 'gpt-5',
      violation: 'EMAIL',
      ...dates,
      ...page,
    },
  },
  auditAttestations: { query: { ...ofCustomer, framework: 'GDPR', ...dates, ...page } },
  auditCoverage: { query: { ...ofCustomer, framework: 'GDPR', ...dates } },
  auditIncidents: {
    query: { ...ofCustomer, status: 'OPEN', severity: 'HIGH', signalId: SAMPLES.auditId, ...dates, ...page },
  },
  auditIncident: { path: { id: SAMPLES.incidentId }, query: ofCustomer },
  auditHashChain: { query: { ...ofCustomer, mode: 'range', fromIndex: '0', toIndex: '255', job: 'false' } },
  auditVerification: { path: { id: SAMPLES.verificationId }, query: ofCustomer },
  auditSigningKeys: { query: ofCustomer },
  auditCheckpoint: { query: ofCustomer },
  auditInclusionProof: { query: { ...ofCustomer, auditId: SAMPLES.auditId } },
  auditConsistencyProof: { query: { ...ofCustomer, fromSize: '0', toSize: '1' } },
  auditPackages: { query: { ...ofCustomer, ...dates, ...page } },
  auditPackageDownload: { path: { id: SAMPLES.packageId }, query: ofCustomer },
  createSharedAuditor: { body: { ...auditor, customerIds: [SAMPLES.customerId] } },
  revokeSharedAuditor: { path: { id: SAMPLES.auditorId } },
  eraseSignal: { path: { id: SAMPLES.auditId }, query: { reason: 'DATA_SUBJECT_REQUEST' } },
  createRetentionPolicy: { body: retentionPolicy },
  listRetentionPolicies: { query: { ...dates, ...page } },
  getRetentionPolicy: { path: { id: SAMPLES.retentionPolicyId } },
  updateRetentionPolicy: { path: { id: SAMPLES.retentionPolicyId }, body: retentionPolicy },
  deleteRetentionPolicy: { path: { id: SAMPLES.retentionPolicyId } },
  getRetentionStatus: {},
  runRetention: {},
  getErasure: { path: { id: SAMPLES.erasedId } },
  createPolicy: { body: policy },
  listPolicies: { query: { ...dates, ...page } },
  getPolicy: { path: { id: SAMPLES.policyId } },
  updatePolicy: { path: { id: SAMPLES.policyId }, body: policy },
  deletePolicy: { path: { id: SAMPLES.policyId } },
  getPolicyReport: { path: { id: SAMPLES.policyId }, query: dates },
  detectCorrelations: {
    body: {
      startDate: dates.startDate,
      endDate: dates.endDate,
      sandboxSlug: SAMPLES.sandboxSlug,
      ...correlation,
    },
  },
  listCorrelations: { query: { source: 'STREAM', type: 'BURST', ...dates, ...page } },
  getCorrelationSettings: {},
  updateCorrelationSettings: { body: correlation },
  getCorrelation: { path: { id: SAMPLES.correlationId } },
  createPackage: {
    body: {
      framework: 'GDPR',
      startDate: dates.startDate,
      endDate: dates.endDate,
      includeIncidents: true,
      includeHashChain: true,
    },
  },
  listPackages: { query: { ...dates, ...page } },
  getPackage: { path: { id: SAMPLES.packageId } },
  downloadPackage: { path: { id: SAMPLES.packageId } },
  createAccount: {
    body: {
      email: 'ann@example.org',
      password: 'seven quiet grey herons',
      name: 'Example Ltd',
      type: 'COMPANY',
    },
  },
  createSession: { body: { email: 'ann@example.org', password: 'seven quiet grey herons' } },
  getCurrentSession: {},
  deleteSession: {},
  setCredentials: { body: { email: 'ann@example.org', password: 'seven quiet grey herons' } },
  createOwnApiKey: { body: { name: 'Checkout service' } },
  listOwnApiKeys: { query: page },
  revokeOwnApiKey: { path: { id: SAMPLES.keyId } },
  getUsage: {},
  submitInternalSignal: {
    body: {
      auditId: SAMPLES.auditId,
      customerId: SAMPLES.customerId,
      sandboxId: SAMPLES.sandboxId,
      sandboxSlug: SAMPLES.sandboxSlug,
      provider: 'anthropic',
      model: 'claude-opus-4',
      riskLevel: 'HIGH',
      violations: ['EMAIL'],
      piiDetected: true,
      confidence: 0.9,
      reasoning: 'The answer held the address of a customer.',
      regulation: ['GDPR'],
      region: 'EU',
      promptTokens: 12,
      outputTokens: 9,
      hasThinkingBlock: false,
      durationMs: 12.5,
      createdAt: '2026-11-01T12:00:00.000Z',
    },
  },
  createCustomer: { body: { name: 'Example Ltd', type: 'COMPANY', plan: 'PRO' } },
  listCustomers: { query: page },
  getCustomer: { path: { id: SAMPLES.customerId } },
  updateCustomer: {
    path: { id: SAMPLES.customerId },
    body: {
      name: 'Example Group Ltd',
      plan: 'ENTERPRISE',
      rate: 2000,
      burst: 10_000,
      auditQuota: 5_000_000,
      sandboxQuota: null,
      correlation,
    },
  },
  eraseCustomer: { path: { id: SAMPLES.customerId } },
  createSignInLink: { body: { customerId: SAMPLES.customerId } },
  createApiKey: { path: { id: SAMPLES.customerId }, body: { name: 'Checkout service' } },
  listApiKeys: { path: { id: SAMPLES.customerId }, query: page },
  revokeApiKey: { path: { id: SAMPLES.customerId, keyId: SAMPLES.keyId } },
  listDamage: { path: { id: SAMPLES.customerId } },
  listStoppedPartitions: {},
  getStoppedPartition: { path: { topic: 'audit.ledger', partition: '3' } },
  getStoppedRecord: { path: { topic: 'audit.ledger', partition: '3' } },
  acceptLoss: {
    path: { topic: 'audit.ledger', partition: '3' },
    body: {
      offset: 4711,
      digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      reason: 'Written by a faulty test program; no customer misses it.',
      acceptedBy: 'Ann',
    },
  },
  getRoot: {},
  getLive: {},
  getReady: {},
  getMetrics: {},
  getOpenApi: {},
  getOperatorOpenApi: {},
  getDocs: {},
  getDocsFile: { path: { file: 'swagger-ui.css' } },
  getUi: {},
  getUiIndex: {},
  getUiPage: { path: { page: 'signals' } },
  getUiRecord: { path: { page: 'incidents', id: SAMPLES.incidentId } },
  getUiAsset: { path: { file: SAMPLES.uiFile } },
};
