import {
  createAccount,
  createSession,
  deleteSession,
  getCurrentSession,
  setCredentials,
} from '../accounts/accounts.ts';
import { createOwnApiKey, listOwnApiKeys, revokeOwnApiKey } from '../accounts/api-keys.ts';
import { getUsage } from '../accounts/usage.ts';
import { ingestBatch } from '../audit-batch.ts';
import { getAudit, ingestAudit, listAudits } from '../audits.ts';
import { type RouteContract, surfacesOf } from '../contract.ts';
import {
  createApiKey,
  createCustomer,
  eraseCustomer,
  getCustomer,
  listApiKeys,
  listCustomers,
  revokeApiKey,
  updateCustomer,
} from '../customers.ts';
import { listDamage } from '../damage.ts';
import { getReconciliation, getStats, getTimeseries } from '../dashboard.ts';
import {
  listDeadLetterReasons,
  listDeadLetters,
  replayDeadLetter,
  replayDeadLetters,
} from '../dead-letters.ts';
import { getCoverage, listAttestations } from '../evidence/attestations.ts';
import {
  auditAttestations,
  auditCheckpoint,
  auditConsistencyProof,
  auditCoverage,
  auditHashChain,
  auditIncident,
  auditIncidents,
  auditInclusionProof,
  auditPackageDownload,
  auditPackages,
  auditSignals,
  auditSigningKeys,
  auditVerification,
} from '../evidence/auditors/auditor-view.ts';
import {
  createAuditor,
  createSharedAuditor,
  listAuditors,
  revokeAuditor,
  revokeSharedAuditor,
} from '../evidence/auditors/auditors.ts';
import { getCorrelationSettings, updateCorrelationSettings } from '../evidence/correlation-settings.ts';
import { detectCorrelations, getCorrelation, listCorrelations } from '../evidence/correlations.ts';
import { getVerification, listSigningKeys, verifyHashChain } from '../evidence/hash-chain.ts';
import {
  acceptRollback,
  getCheckpoint,
  getConsistencyProof,
  getInclusionProof,
} from '../evidence/hash-chain-proofs.ts';
import { createIncident, getIncident, listIncidents, moveIncident } from '../evidence/incidents.ts';
import { createPackage, downloadPackage, getPackage, listPackages } from '../evidence/packages.ts';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  getPolicyReport,
  listPolicies,
  updatePolicy,
} from '../evidence/policies.ts';
import { eraseSignal, getErasure } from '../evidence/retention/erasures.ts';
import {
  createRetentionPolicy,
  deleteRetentionPolicy,
  getRetentionPolicy,
  listRetentionPolicies,
  updateRetentionPolicy,
} from '../evidence/retention/policies.ts';
import { getRetentionStatus, runRetention } from '../evidence/retention/status.ts';
import { exportSignals, getExportManifest } from '../export.ts';
import { submitInternalSignal } from '../internal-signal.ts';
import {
  getDocs,
  getDocsFile,
  getLive,
  getMetrics,
  getOpenApi,
  getOperatorOpenApi,
  getReady,
  getRoot,
} from '../operation.ts';
import { acceptLoss, getStoppedPartition, getStoppedRecord, listStoppedPartitions } from '../partitions.ts';
import {
  createSandbox,
  deleteSandbox,
  getSandbox,
  getSandboxVersion,
  listSandboxes,
  listSandboxVersions,
  replaceSandbox,
  updateSandbox,
} from '../sandboxes.ts';
import { scanPrompt } from '../scan.ts';
import { createSignInLink } from '../sign-in-links.ts';
import { getSignal, listSignals } from '../signals.ts';
import { streamSignals } from '../stream.ts';
import { getUi, getUiAsset, getUiIndex, getUiPage, getUiRecord } from '../ui.ts';

const CONTRACTS = [
  ingestAudit,
  ingestBatch,
  listAudits,
  getAudit,
  scanPrompt,
  createSandbox,
  listSandboxes,
  getSandbox,
  listSandboxVersions,
  getSandboxVersion,
  updateSandbox,
  replaceSandbox,
  deleteSandbox,
  listSignals,
  exportSignals,
  getExportManifest,
  getSignal,
  getStats,
  getTimeseries,
  getReconciliation,
  streamSignals,
  listDeadLetters,
  listDeadLetterReasons,
  replayDeadLetter,
  replayDeadLetters,
  verifyHashChain,
  getVerification,
  listSigningKeys,
  getCheckpoint,
  getInclusionProof,
  getConsistencyProof,
  acceptRollback,
  createIncident,
  listIncidents,
  getIncident,
  moveIncident,
  listAttestations,
  getCoverage,
  createAuditor,
  listAuditors,
  revokeAuditor,
  auditSignals,
  auditAttestations,
  auditCoverage,
  auditIncidents,
  auditIncident,
  auditHashChain,
  auditVerification,
  auditSigningKeys,
  auditCheckpoint,
  auditInclusionProof,
  auditConsistencyProof,
  auditPackages,
  auditPackageDownload,
  createSharedAuditor,
  revokeSharedAuditor,
  eraseSignal,
  getErasure,
  createPolicy,
  listPolicies,
  getPolicy,
  updatePolicy,
  deletePolicy,
  getPolicyReport,
  createRetentionPolicy,
  listRetentionPolicies,
  getRetentionPolicy,
  updateRetentionPolicy,
  deleteRetentionPolicy,
  getRetentionStatus,
  runRetention,
  detectCorrelations,
  listCorrelations,
  getCorrelationSettings,
  updateCorrelationSettings,
  getCorrelation,
  createPackage,
  listPackages,
  getPackage,
  downloadPackage,
  createAccount,
  createSession,
  getCurrentSession,
  deleteSession,
  setCredentials,
  createOwnApiKey,
  listOwnApiKeys,
  revokeOwnApiKey,
  getUsage,
  submitInternalSignal,
  createCustomer,
  listCustomers,
  getCustomer,
  updateCustomer,
  eraseCustomer,
  createSignInLink,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  listDamage,
  listStoppedPartitions,
  getStoppedPartition,
  getStoppedRecord,
  acceptLoss,
  getRoot,
  getLive,
  getReady,
  getMetrics,
  getOpenApi,
  getOperatorOpenApi,
  getDocs,
  getDocsFile,
  getUi,
  getUiIndex,
  getUiPage,
  getUiRecord,
  getUiAsset,
] as const satisfies readonly RouteContract[];

/** The contract of one operation. */
export type Operation = (typeof CONTRACTS)[number];

/** Every operation of the interface. */
export const ROUTES: readonly RouteContract[] = CONTRACTS;

const isForCustomers = (contract: RouteContract): boolean =>
  surfacesOf(contract).includes('client') && contract.tag !== 'Pages';

/** Operations described in the customers' document. */
export const CUSTOMER_ROUTES: readonly RouteContract[] = ROUTES.filter(isForCustomers);

/** All other operations, described in the operators' document. */
export const OPERATOR_ROUTES: readonly RouteContract[] = ROUTES.filter((one) => !isForCustomers(one));
