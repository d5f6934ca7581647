import { getCoverage, listAttestations } from './attestations.ts';
import { ingestBatch } from './audit-batch.ts';
import { getAudit, ingestAudit, listAudits } from './audits.ts';
import type { RouteContract } from './contract.ts';
import {
  createApiKey,
  createCustomer,
  eraseCustomer,
  getCustomer,
  listApiKeys,
  listCustomers,
  revokeApiKey,
  updateCustomer,
} from './customers.ts';
import { getReconciliation, getStats, getTimeseries } from './dashboard.ts';
import { listDeadLetters, replayDeadLetter, replayDeadLetters } from './dead-letters.ts';
import { exportSignals, getExportManifest } from './export.ts';
import { getVerification, listSigningKeys, verifyHashChain } from './hash-chain.ts';
import {
  acceptRollback,
  getCheckpoint,
  getConsistencyProof,
  getInclusionProof,
} from './hash-chain-proofs.ts';
import { createIncident, getIncident, listIncidents, moveIncident } from './incidents.ts';
import { submitInternalSignal } from './internal-signal.ts';
import { getDocs, getDocsFile, getLive, getMetrics, getOpenApi, getReady, getRoot } from './operation.ts';
import { acceptLoss, getStoppedPartition, getStoppedRecord, listStoppedPartitions } from './partitions.ts';
import {
  createSandbox,
  deleteSandbox,
  getSandbox,
  listSandboxes,
  replaceSandbox,
  updateSandbox,
} from './sandboxes.ts';
import { scanPrompt } from './scan.ts';
import { getSignal, listSignals } from './signals.ts';

/** Every operation of the interface. */
export const ROUTES: readonly RouteContract[] = [
  ingestAudit,
  ingestBatch,
  listAudits,
  getAudit,
  scanPrompt,
  createSandbox,
  listSandboxes,
  getSandbox,
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
  listDeadLetters,
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
  submitInternalSignal,
  createCustomer,
  listCustomers,
  getCustomer,
  updateCustomer,
  eraseCustomer,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  listStoppedPartitions,
  getStoppedPartition,
  getStoppedRecord,
  acceptLoss,
  getRoot,
  getLive,
  getReady,
  getMetrics,
  getOpenApi,
  getDocs,
  getDocsFile,
];
