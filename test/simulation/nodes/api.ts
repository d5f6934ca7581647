import { Registry } from 'prom-client';
import { createDetection } from '#detection/detection.ts';
import { flushOutbox } from '#platform/outbox/flush.ts';
import { startSweeper } from '#platform/outbox/sweeper.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import { type AdmittedCounts, createAdmittedCounts } from '#records/audits/admitted-counts.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { Announce, EntryMaker } from '#records/changes/ledger-events.ts';
import { type Directory, openDirectory } from '#records/directory.ts';
import { openPolicies, type Policies } from '#records/policies/policies.ts';
import { sandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import type { AppDependencies } from '#services/api/app-dependencies.ts';
import { startPackageBuilder } from '#services/api/evidence/packages/build-packages.ts';
import { startRetention } from '#services/api/evidence/retention/run-retention.ts';
import { createBodyBudget } from '#services/api/http/bodies/body-budget.ts';
import { createReceiptSigner, type ReceiptSigner } from '#services/api/ingest/receipts.ts';
import type { ApiDependencies } from '#services/api/operations/dependencies.ts';
import { watchRights } from '#services/api/operations/rights/held-rights.ts';
import { startEraser } from '#services/api/operators/erasure/erase-customers.ts';
import { logOfProcess } from '../dependencies/log-of-process.ts';
import { packagesOfProcess } from '../dependencies/packages.ts';
import { stateOfProcess } from '../dependencies/state-of-process.ts';
import { warehouseOfProcess } from '../dependencies/warehouse.ts';
import { compareWithLedger } from './ledger-comparison.ts';
import { type NodeDependencies, type RunningNode, TREE_HEIGHTS } from './node.ts';
import { LEDGER_ORIGIN, SIGNING_KEY } from './signing-key.ts';

const SWEEP_EVERY_MS = 4_000;
const ERASURES_EVERY_MS = 4_000;
const RETENTION_EVERY_MS = 4_000;
const PACKAGES_EVERY_MS = 3_000;
/** Thousands in production; here small enough that a run with a dozen signals has several batches. */
const RETENTION_BATCH = 2;
/** Stands for the page that verifies a package in a browser. */
export const VERIFY_PAGE = '<!doctype html>\n<title>The page</title>\n';

export interface ApiNode extends RunningNode {
  readonly dependencies: AppDependencies & {
    readonly directory: Directory;
    readonly policies: Policies;
    readonly newId: NodeDependencies['newId'];
    readonly admitted: AdmittedCounts;
    readonly receipts: ReceiptSigner;
    readonly makeEntry: EntryMaker;
    readonly keyring: Keyring;
  };
}

/** Started as in `services/api/main.ts`, without HTTP: requests call the operations. */
export async function startApiNode(node: NodeDependencies): Promise<ApiNode> {
  const { process, network, random, masterKey, codec, logger } = node;
  const state = stateOfProcess(node.state, network, process);
  const log = logOfProcess({ log: node.log, network, process, random });
  const warehouse = warehouseOfProcess(node.store, network, process);
  const ledger = await compareWithLedger(node, { state, log });
  const now = () => process.now();
  const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
  const outbox = { documents: state.documents, log };
  const announce: Announce = (ref) => void flushOutbox(outbox, ref).catch(() => undefined);
  const makeEntry = entryMaker({ keyring, codec, randomBytes: random.bytes });
  const records = { documents: state.documents, makeEntry, announce };
  const dependencies: ApiNode['dependencies'] = {
    ...watchRights(state, { now, logger }),
    log,
    codec,
    sandboxVersions: sandboxVersions(state.documents),
    detection: createDetection({ tasks: null, clock: () => performance.now() }),
    keyring,
    signingKey: SIGNING_KEY,
    receipts: createReceiptSigner(SIGNING_KEY),
    warehouse,
    packages: packagesOfProcess(node.packages, network, process),
    announce,
    makeEntry,
    now,
    newId: node.newId,
    randomBytes: random.bytes,
    internalSecrets: [],
    readiness: async () => ({ status: 'ready', checks: {} }),
    metrics: new Registry(),
    logger,
    bodyBudget: createBodyBudget(256 * 2 ** 20),
    epoch: node.epoch,
    admitted: createAdmittedCounts({ admission: state.admission, epoch: node.epoch, logger }),
    probe: node.probe,
    treeHeights: TREE_HEIGHTS,
    settings: SETTINGS,
    policies: openPolicies(records),
    directory: openDirectory({ ...records, admission: state.admission, randomBytes: random.bytes }),
  };
  const sweeper = startSweeper({ ...outbox, logger, intervalMs: SWEEP_EVERY_MS });
  const jobs = startJobs(node, dependencies);
  return {
    stopped: () => [],
    stop: async () => {
      await Promise.all([sweeper.stop(), ledger.stop(), ...jobs.map((job) => job.stop())]);
    },
    dependencies,
  };
}

const SETTINGS: ApiDependencies['settings'] = {
  keyHeader: 'x-service-key',
  basePath: '',
  ledgerOrigin: LEDGER_ORIGIN,
  signingKeySince: '2026-01-01T00:00:00.000Z',
  requestTimeoutMs: 30_000,
  maxConnections: 1_000,
  refusalPauseMs: 0,
  probePauseMs: 0,
  trustedProxies: [],
  isAllowedHost: () => true,
  isSignupOpen: false,
};

/** Background jobs of an API process. */
function startJobs(
  { probe, packages, network, process }: NodeDependencies,
  dependencies: ApiNode['dependencies'],
): readonly { stop(): Promise<void> }[] {
  const shared = {
    ...dependencies,
    packages: packagesOfProcess(packages, network, process),
    documents: dependencies.state.documents,
    probe,
  };
  return [
    startEraser({ ...shared, intervalMs: ERASURES_EVERY_MS }),
    startRetention({ ...shared, intervalMs: RETENTION_EVERY_MS, batchSignals: RETENTION_BATCH }),
    startPackageBuilder({ ...shared, verifyPage: VERIFY_PAGE, everyMs: PACKAGES_EVERY_MS }),
  ];
}
