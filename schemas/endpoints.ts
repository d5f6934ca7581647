/**
 * Method and path of every operation; path parameters are written `:name`. Contracts use these definitions, and so do
 * clients: importing this file pulls in nothing else, so a browser loads no schemas.
 */

export const ingestAudit = { method: 'POST', path: '/audit/ingest' } as const;
export const ingestBatch = { method: 'POST', path: '/audit/ingest/batch' } as const;
export const listAudits = { method: 'GET', path: '/audits' } as const;
export const getAudit = { method: 'GET', path: '/audits/:id' } as const;
export const scanPrompt = { method: 'POST', path: '/guardian/scan' } as const;
export const createSandbox = { method: 'POST', path: '/sandboxes' } as const;
export const listSandboxes = { method: 'GET', path: '/sandboxes' } as const;
export const getSandbox = { method: 'GET', path: '/sandboxes/:id' } as const;
export const listSandboxVersions = { method: 'GET', path: '/sandboxes/:id/versions' } as const;
export const getSandboxVersion = { method: 'GET', path: '/sandboxes/:id/versions/:version' } as const;
export const updateSandbox = { method: 'PATCH', path: '/sandboxes/:id' } as const;
export const replaceSandbox = { method: 'PUT', path: '/sandboxes/:id' } as const;
export const deleteSandbox = { method: 'DELETE', path: '/sandboxes/:id' } as const;
export const listSignals = { method: 'GET', path: '/dashboard/signals' } as const;
export const exportSignals = { method: 'GET', path: '/dashboard/signals/export' } as const;
export const getExportManifest = { method: 'GET', path: '/dashboard/signals/export/manifest' } as const;
export const getSignal = { method: 'GET', path: '/dashboard/signals/:id' } as const;
export const getStats = { method: 'GET', path: '/dashboard/stats' } as const;
export const getTimeseries = { method: 'GET', path: '/dashboard/timeseries' } as const;
export const getReconciliation = { method: 'GET', path: '/dashboard/books' } as const;
export const streamSignals = { method: 'GET', path: '/dashboard/stream' } as const;
export const listDeadLetters = { method: 'GET', path: '/dead-letters' } as const;
export const listDeadLetterReasons = { method: 'GET', path: '/dead-letters/reasons' } as const;
export const replayDeadLetter = { method: 'POST', path: '/dead-letters/:id/replay' } as const;
export const replayDeadLetters = { method: 'POST', path: '/dead-letters/replay' } as const;
export const verifyHashChain = { method: 'GET', path: '/evidence/hash-chain/verify' } as const;
export const getVerification = { method: 'GET', path: '/evidence/hash-chain/verifications/:id' } as const;
export const listSigningKeys = { method: 'GET', path: '/evidence/hash-chain/keys' } as const;
export const getCheckpoint = { method: 'GET', path: '/evidence/hash-chain/checkpoint' } as const;
export const getInclusionProof = { method: 'GET', path: '/evidence/hash-chain/proofs/inclusion' } as const;
export const getConsistencyProof = {
  method: 'GET',
  path: '/evidence/hash-chain/proofs/consistency',
} as const;
export const acceptRollback = { method: 'POST', path: '/internal/customers/:id/rollbacks' } as const;
export const createIncident = { method: 'POST', path: '/evidence/incidents' } as const;
export const listIncidents = { method: 'GET', path: '/evidence/incidents' } as const;
export const getIncident = { method: 'GET', path: '/evidence/incidents/:id' } as const;
export const moveIncident = { method: 'PATCH', path: '/evidence/incidents/:id/status' } as const;
export const listAttestations = { method: 'GET', path: '/evidence/attestations' } as const;
export const getCoverage = { method: 'GET', path: '/evidence/attestations/coverage' } as const;
export const createAuditor = { method: 'POST', path: '/evidence/auditors' } as const;
export const listAuditors = { method: 'GET', path: '/evidence/auditors' } as const;
export const revokeAuditor = { method: 'DELETE', path: '/evidence/auditors/:id' } as const;
export const auditSignals = { method: 'GET', path: '/auditor/signals' } as const;
export const auditAttestations = { method: 'GET', path: '/auditor/attestations' } as const;
export const auditCoverage = { method: 'GET', path: '/auditor/attestations/coverage' } as const;
export const auditIncidents = { method: 'GET', path: '/auditor/incidents' } as const;
export const auditIncident = { method: 'GET', path: '/auditor/incidents/:id' } as const;
export const auditHashChain = { method: 'GET', path: '/auditor/hash-chain/verify' } as const;
export const auditVerification = { method: 'GET', path: '/auditor/hash-chain/verifications/:id' } as const;
export const auditSigningKeys = { method: 'GET', path: '/auditor/hash-chain/keys' } as const;
export const auditCheckpoint = { method: 'GET', path: '/auditor/hash-chain/checkpoint' } as const;
export const auditInclusionProof = { method: 'GET', path: '/auditor/hash-chain/proofs/inclusion' } as const;
export const auditConsistencyProof = {
  method: 'GET',
  path: '/auditor/hash-chain/proofs/consistency',
} as const;
export const auditPackages = { method: 'GET', path: '/auditor/packages' } as const;
export const auditPackageDownload = { method: 'GET', path: '/auditor/packages/:id/download' } as const;
export const createSharedAuditor = { method: 'POST', path: '/internal/auditors' } as const;
export const revokeSharedAuditor = { method: 'DELETE', path: '/internal/auditors/:id' } as const;
export const eraseSignal = { method: 'DELETE', path: '/evidence/retention/signals/:id' } as const;
export const getErasure = { method: 'GET', path: '/evidence/retention/erasures/:id' } as const;
export const createPolicy = { method: 'POST', path: '/evidence/policies' } as const;
export const listPolicies = { method: 'GET', path: '/evidence/policies' } as const;
export const getPolicy = { method: 'GET', path: '/evidence/policies/:id' } as const;
export const updatePolicy = { method: 'PATCH', path: '/evidence/policies/:id' } as const;
export const deletePolicy = { method: 'DELETE', path: '/evidence/policies/:id' } as const;
export const getPolicyReport = { method: 'GET', path: '/evidence/policies/:id/report' } as const;
export const createRetentionPolicy = { method: 'POST', path: '/evidence/retention/policies' } as const;
export const listRetentionPolicies = { method: 'GET', path: '/evidence/retention/policies' } as const;
export const getRetentionPolicy = { method: 'GET', path: '/evidence/retention/policies/:id' } as const;
export const updateRetentionPolicy = { method: 'PATCH', path: '/evidence/retention/policies/:id' } as const;
export const deleteRetentionPolicy = { method: 'DELETE', path: '/evidence/retention/policies/:id' } as const;
export const getRetentionStatus = { method: 'GET', path: '/evidence/retention/status' } as const;
export const runRetention = { method: 'POST', path: '/internal/retention/run' } as const;
export const detectCorrelations = { method: 'POST', path: '/evidence/correlations/detect' } as const;
export const listCorrelations = { method: 'GET', path: '/evidence/correlations' } as const;
export const getCorrelationSettings = { method: 'GET', path: '/evidence/correlations/settings' } as const;
export const updateCorrelationSettings = {
  method: 'PATCH',
  path: '/evidence/correlations/settings',
} as const;
export const getCorrelation = { method: 'GET', path: '/evidence/correlations/:id' } as const;
export const createPackage = { method: 'POST', path: '/evidence/packages' } as const;
export const listPackages = { method: 'GET', path: '/evidence/packages' } as const;
export const getPackage = { method: 'GET', path: '/evidence/packages/:id' } as const;
export const downloadPackage = { method: 'GET', path: '/evidence/packages/:id/download' } as const;
export const createAccount = { method: 'POST', path: '/accounts' } as const;
export const createSession = { method: 'POST', path: '/sessions' } as const;
export const getCurrentSession = { method: 'GET', path: '/sessions/current' } as const;
export const deleteSession = { method: 'DELETE', path: '/sessions' } as const;
export const setCredentials = { method: 'POST', path: '/users/current/credentials' } as const;
export const createOwnApiKey = { method: 'POST', path: '/api-keys' } as const;
export const listOwnApiKeys = { method: 'GET', path: '/api-keys' } as const;
export const revokeOwnApiKey = { method: 'DELETE', path: '/api-keys/:id' } as const;
export const getUsage = { method: 'GET', path: '/usage' } as const;
export const submitInternalSignal = { method: 'POST', path: '/internal/signal' } as const;
export const createCustomer = { method: 'POST', path: '/internal/customers' } as const;
export const listCustomers = { method: 'GET', path: '/internal/customers' } as const;
export const getCustomer = { method: 'GET', path: '/internal/customers/:id' } as const;
export const updateCustomer = { method: 'PATCH', path: '/internal/customers/:id' } as const;
export const eraseCustomer = { method: 'DELETE', path: '/internal/customers/:id' } as const;
export const createSignInLink = { method: 'POST', path: '/internal/sign-in-links' } as const;
export const createApiKey = { method: 'POST', path: '/internal/customers/:id/api-keys' } as const;
export const listApiKeys = { method: 'GET', path: '/internal/customers/:id/api-keys' } as const;
export const revokeApiKey = { method: 'DELETE', path: '/internal/customers/:id/api-keys/:keyId' } as const;
export const listDamage = { method: 'GET', path: '/internal/customers/:id/damage' } as const;
export const listStoppedPartitions = { method: 'GET', path: '/internal/partitions' } as const;
export const getStoppedPartition = { method: 'GET', path: '/internal/partitions/:topic/:partition' } as const;
export const getStoppedRecord = {
  method: 'GET',
  path: '/internal/partitions/:topic/:partition/record',
} as const;
export const acceptLoss = { method: 'POST', path: '/internal/partitions/:topic/:partition/losses' } as const;
export const getRoot = { method: 'GET', path: '/' } as const;
export const getLive = { method: 'GET', path: '/health/live' } as const;
export const getReady = { method: 'GET', path: '/health/ready' } as const;
export const getMetrics = { method: 'GET', path: '/metrics' } as const;
export const getOpenApi = { method: 'GET', path: '/openapi.json' } as const;
export const getOperatorOpenApi = { method: 'GET', path: '/internal/openapi.json' } as const;
export const getDocs = { method: 'GET', path: '/docs' } as const;
export const getDocsFile = { method: 'GET', path: '/docs/:file' } as const;
export const getUi = { method: 'GET', path: '/ui' } as const;
export const getUiIndex = { method: 'GET', path: '/ui/' } as const;
export const getUiPage = { method: 'GET', path: '/ui/:page' } as const;
export const getUiRecord = { method: 'GET', path: '/ui/:page/:id' } as const;
export const getUiAsset = { method: 'GET', path: '/ui/assets/:file' } as const;
