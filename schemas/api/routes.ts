import { getAudit, ingestAudit } from './audits.ts';
import type { RouteContract } from './contract.ts';
import {
  createApiKey,
  createCustomer,
  getCustomer,
  listApiKeys,
  listCustomers,
  revokeApiKey,
} from './customers.ts';
import { listSigningKeys, verifyHashChain } from './hash-chain.ts';
import { getLive, getMetrics, getOpenApi, getReady, getRoot } from './operation.ts';
import { createSandbox, getSandbox, listSandboxes } from './sandboxes.ts';
import { getSignal, listSignals } from './signals.ts';

/** Every operation of the interface. */
export const ROUTES: readonly RouteContract[] = [
  ingestAudit,
  getAudit,
  createSandbox,
  listSandboxes,
  getSandbox,
  listSignals,
  getSignal,
  verifyHashChain,
  listSigningKeys,
  createCustomer,
  listCustomers,
  getCustomer,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  getRoot,
  getLive,
  getReady,
  getMetrics,
  getOpenApi,
];
