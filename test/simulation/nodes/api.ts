import { Registry } from 'prom-client';
import { flushOutbox } from '#platform/outbox/flush.ts';
import { startSweeper } from '#platform/outbox/sweeper.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import type { ApiDependencies } from '#services/api/dependencies.ts';
import { startEraser } from '#services/api/jobs/erase-customers.ts';
import { createBodyBudget } from '#services/api/plugins/bodies/body-budget.ts';
import { type AdmittedCounts, createAdmittedCounts } from '#services/api/use-cases/ingest/admitted-counts.ts';
import { createReceiptDesk, type ReceiptDesk } from '#services/api/use-cases/ingest/receipts.ts';
import { type Directory, openDirectory } from '#services/customers/directory.ts';
import { entryMaker } from '#services/customers/entry-maker.ts';
import type { Announce } from '#services/customers/ledger-events.ts';
import { openPolicies, type Policies } from '#services/customers/policies/policies.ts';
import { sandboxVersions } from '#services/customers/sandboxes/sandbox-versions.ts';
import { createDetection } from '#services/detection/detection.ts';
import { logOfProcess } from '../dependencies/log-of-process.ts';
import { stateOfProcess } from '../dependencies/state-of-process.ts';
import { warehouseOfProcess } from '../dependencies/warehouse.ts';
import { compareWithLedger } from './ledger-comparison.ts';
import { type NodeDependencies, type RunningNode, TREE_HEIGHTS } from './node.ts';

const SWEEP_EVERY_MS = 4_000;
const ERASURES_EVERY_MS = 4_000;

export interface ApiNode extends RunningNode {
  readonly dependencies: ApiDependencies & {
    readonly directory: Directory;
    readonly policies: Policies;
    readonly newId: NodeDependencies['newId'];
    readonly admitted: AdmittedCounts;
    readonly receipts: ReceiptDesk;
  };
}

/** As `services/api/main.ts` starts it, without HTTP: requests call the use cases. */
export async function startApiNode(node: NodeDependencies): Promise<ApiNode> {
  const { process, network, random, masterKey, codec, logger } = node;
  const state = stateOfProcess(node.state, network, process);
  const log = logOfProcess({ log: node.log, network, process, random });
  const warehouse = warehouseOfProcess(node.store, network, process);
  const ledger = await compareWithLedger(node, state);
  const now = () => process.now();
  const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
  const outbox = { documents: state.documents, log };
  const announce: Announce = (ref) => void flushOutbox(outbox, ref).catch(() => undefined);
  const makeEntry = entryMaker({ keyring, codec, randomBytes: random.bytes });
  const sweeper = startSweeper({ ...outbox, logger, intervalMs: SWEEP_EVERY_MS });
  const eraser = startEraser({
    documents: state.documents,
    makeEntry,
    announce,
    state,
    log,
    warehouse,
    now,
    logger,
    keyring,
    crashPoint: node.crashPoint,
    intervalMs: ERASURES_EVERY_MS,
  });
  const signingKey = { keyId: 'simulated', publicKey: Buffer.alloc(32), sign: () => Buffer.alloc(64) };
  return {
    stopped: () => [],
    stop: async () => {
      await Promise.all([sweeper.stop(), eraser.stop(), ledger.stop()]);
    },
    dependencies: {
      state,
      log,
      codec,
      sandboxVersions: sandboxVersions(state.documents),
      detection: createDetection({ tasks: null, clock: () => performance.now() }),
      keyring,
      signingKey,
      receipts: createReceiptDesk(signingKey),
      warehouse,
      announce,
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
      crashPoint: node.crashPoint,
      treeHeights: TREE_HEIGHTS,
      settings: {
        keyHeader: 'x-service-key',
        ledgerOrigin: 'simulated',
        signingKeySince: '2026-01-01T00:00:00.000Z',
        requestTimeoutMs: 30_000,
        maxConnections: 1_000,
        refusalPauseMs: 0,
        probePauseMs: 0,
        trustedProxies: [],
        isAllowedHost: () => true,
      },
      policies: openPolicies({ documents: state.documents, makeEntry, announce }),
      directory: openDirectory({
        documents: state.documents,
        admission: state.admission,
        makeEntry,
        announce,
        randomBytes: random.bytes,
      }),
    },
  };
}
