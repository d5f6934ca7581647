import { EXAMPLES, SAMPLES } from './request-examples.ts';

/** List responses shown in the OpenAPI document; openapi.test.ts checks them against their schemas. */

const { auditId, customerId, sandboxId, sandboxSlug } = SAMPLES;
const times = { createdAt: '2026-11-20T09:30:00.000Z', updatedAt: '2026-11-20T09:30:00.000Z' };
const pagination = { page: 1, limit: 20, total: 1, pages: 1, nextCursor: null };
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const PREVIOUS_HASH = '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752';
const sent = (operationId: string): object => EXAMPLES[operationId]?.body as object;
const list = (row: object): object => ({ success: true, data: [row], pagination });

const audit = {
  id: auditId,
  auditId,
  sandboxSlug,
  provider: 'openai',
  model: 'gpt-5',
  source: 'INGEST',
  status: 'COMPLETED',
  attempts: 1,
  riskLevel: 'LOW',
  violations: ['EMAIL'],
  createdAt: '2026-11-20T09:29:59.412Z',
  completedAt: '2026-11-20T09:30:00.000Z',
  durationMs: 12.5,
};

const signal = {
  id: auditId,
  auditId,
  customerId,
  sandbox: { slug: sandboxSlug, name: 'Customer support' },
  sandboxId,
  sandboxSlug,
  provider: 'openai',
  model: 'gpt-5',
  region: 'EU',
  riskLevel: 'LOW',
  violations: ['EMAIL'],
  regulation: ['GDPR'],
  piiDetected: true,
  confidence: 0.95,
  alert: false,
  policyVersion: `${sandboxId}@1`,
  source: 'INGEST',
  attempts: 1,
  promptTokens: 12,
  outputTokens: 9,
  hasThinkingBlock: false,
  durationMs: 12.5,
  acceptedAt: '2026-11-20T09:29:59.412Z',
  createdAt: '2026-11-20T09:30:00.000Z',
  reasoning: 'An email address was found in the prompt: a**@example.org.',
  detections: [{ code: 'EMAIL', detector: 'email', version: 1, count: 1 }],
  payloadDigest: HASH,
  index: 41,
  previousHash: PREVIOUS_HASH,
  hash: HASH,
};

const incident = {
  id: SAMPLES.incidentId,
  customerId,
  signalId: auditId,
  auditId,
  status: 'OPEN',
  severity: 'HIGH',
  violations: ['EMAIL'],
  title: 'Email address sent to a model',
  description: null,
  ...times,
  createdByKeyId: SAMPLES.keyId,
  investigatorId: null,
  resolverId: null,
  verifierId: null,
  closerId: null,
  resolution: null,
  version: 1,
  dueAt: '2026-11-23T09:30:00.000Z',
  notifyBy: '2026-11-23T09:30:00.000Z',
  moves: [],
};

const apiKey = {
  id: SAMPLES.keyId,
  name: 'Checkout service',
  prefix: 'cas_3f9a',
  createdAt: times.createdAt,
  lastUsedAt: '2026-11-20T10:15:00.000Z',
  status: 'active',
};

const evidencePackage = {
  id: SAMPLES.packageId,
  framework: 'GDPR',
  startDate: '2026-10-01T00:00:00.000Z',
  endDate: '2026-10-31T23:59:59.999Z',
  includeIncidents: true,
  includeHashChain: true,
  status: 'READY',
  progress: 1,
  sizeBytes: 48_211,
  sha256: HASH,
  checkpoint: 'cas/example\n42\nn4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=\n\n— cas/example …\n',
  failure: null,
  createdAt: times.createdAt,
  expiresAt: '2026-12-20T09:30:00.000Z',
};

const policy = { id: SAMPLES.policyId, version: 1, ...sent('createPolicy'), ...times };
const retentionPolicy = {
  id: SAMPLES.retentionPolicyId,
  ...sent('createRetentionPolicy'),
  version: 1,
  ...times,
  deletedAt: null,
};
const deadLetter = {
  id: auditId,
  auditId,
  sandboxSlug,
  reason: 'ANALYSIS_FAILED',
  attempts: 3,
  at: '2026-11-20T09:30:00.000Z',
};

export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  listAudits: { audits: [audit], total: 1, page: 1, limit: 20, pagination },
  listSignals: { data: [signal], signals: [signal], pagination },
  auditSignals: list(signal),
  listSandboxes: {
    data: [{ id: sandboxId, version: 1, ...sent('createSandbox'), ...times }],
    pagination,
  },
  listIncidents: list(incident),
  auditIncidents: list(incident),
  listOwnApiKeys: { data: [apiKey], pagination },
  listApiKeys: { data: [apiKey], pagination },
  listPackages: list(evidencePackage),
  auditPackages: list(evidencePackage),
  listPolicies: list(policy),
  listRetentionPolicies: list(retentionPolicy),
  listDeadLetters: { data: [deadLetter], pagination },
};
