import { openDetectionPool } from '#detection/detection-pool.ts';
import { hostCheck } from '#platform/config/allowed-hosts.ts';
import type { RoleName } from '#platform/config/roles.ts';
import type { DistributedSettings } from '#platform/config/settings.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import type { ServiceContext } from '#platform/process/service-context.ts';
import type { Stream } from '#platform/stream/run-stream.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { createMetrics, type Metrics } from '#platform/telemetry/metrics/metrics.ts';
import { startHealthServer } from '#platform/telemetry/readiness/health-server.ts';
import {
  type ReadinessReport,
  type ReadinessSources,
  readinessOf,
} from '#platform/telemetry/readiness/readiness.ts';
import { watchForStall } from '#platform/telemetry/readiness/stall-watch.ts';
import { demandTables } from '#platform/warehouse/check-tables.ts';
import { hasSigned } from '#records/ledger/signing-keys.ts';
import { STATE_RIGHTS } from '#records/state-rights.ts';
import { TABLES_OF_ROLE } from '#schemas/tables/rights.ts';
import { startAnalyzer } from '#services/analyzer/main.ts';
import { passesInThread } from '#services/api/evidence/chain/passes-in-thread.ts';
import { searchInThread } from '#services/api/evidence/correlations/search-in-thread.ts';
import type { ApiAddresses } from '#services/api/listeners.ts';
import { startApi, warmUp } from '#services/api/main.ts';
import { loadApiKeys, masterKeyCheck } from '#services/api/process-keys.ts';
import { startCorrelator } from '#services/correlator/main.ts';
import { startSink } from '#services/sink/main.ts';
import { type Composition, unchanged } from './composition.ts';
import { type DependencyOpeners, openDependencies } from './dependencies.ts';
import { clickhouseOf, distributedDependencies, warehouseOptions } from './distributed-dependencies.ts';
import { openPackageFiles } from './package-files.ts';
import { openStoringDependencies } from './storing-dependencies.ts';

const STALL_CHECK_MS = 5_000;
const STALL_LIMIT_MS = 120_000;

type RoleContext = Omit<ServiceContext, 'dependencies' | 'settings'> & {
  readonly settings: DistributedSettings;
  readonly metrics: Metrics;
  readonly openers: DependencyOpeners;
  readonly around: NonNullable<Composition['around']>;
};

/** Starts one role of a distributed service; resolves to its address and the address of its health checks. */
export function startRole(
  role: RoleName,
  settings: DistributedSettings,
  lifecycle: Lifecycle,
  logger: Logger,
  { probe, around = unchanged }: Composition = {},
): Promise<ApiAddresses> {
  const stateRights = STATE_RIGHTS[role];
  const options = { settings, lifecycle, logger, now: Date.now, stateRights };
  const openers = distributedDependencies(options);
  return START[role]({ ...options, openers, metrics: createMetrics(), probe, around });
}

const prepared = (role: keyof typeof TABLES_OF_ROLE) => ({ initialise: false, tables: TABLES_OF_ROLE[role] });

const START: Readonly<Record<RoleName, (context: RoleContext) => Promise<ApiAddresses>>> = {
  api: async (context) => {
    const opened = await openStoringDependencies(context.openers, context, prepared('api'));
    const { dependencies, epoch, ledger, damage, tables } = opened;
    const { log, state, warehouse, keyring } = dependencies;
    const keys = loadApiKeys(context.settings, { hasSigned: await hasSigned(state.documents) });
    const { packages, packageChecks } = await openPackageFiles(context);
    // Ingest needs only log and state: without the warehouse the API accepts, and queries answer 503.
    const readiness = watchedReadiness('api', context, {
      needed: { log, state },
      useful: { warehouse },
      checks: {
        ledger: ledger.check,
        damage: damage.check,
        tables,
        masterKey: masterKeyCheck(keyring),
        ...packageChecks,
      },
    });
    const detectionTasks = openDetectionPool(context.settings, context.lifecycle);
    const { logger: _, ...address } = warehouseOptions(clickhouseOf(context.settings), context.logger);
    const passes = passesInThread({ warehouse: address, log, onDamage: damage.saw });
    context.lifecycle.add('verification thread', passes.close);
    const patternSearch = searchInThread(address);
    const threads = { detectionTasks, passes, patternSearch };
    const around = { dependencies: context.around('api', dependencies) };
    const addresses = await startApi({
      ...context,
      ...threads,
      ...around,
      epoch,
      ledger,
      keys,
      packages,
      readiness,
    });
    warmUp({ ...context, detectionTasks });
    return addresses;
  },
  analyzer: async (context) => {
    const opened = await openDependencies(context.openers, context);
    const { log, state } = opened;
    const dependencies = context.around('analyzer', opened);
    const detectionTasks = openDetectionPool(context.settings, context.lifecycle);
    const analyzer = await startAnalyzer({ ...context, dependencies, detectionTasks });
    return serveHealth('analyzer', context, { needed: { log, state } }, { analyzer });
  },
  sink: async (context) => {
    const opened = await openStoringDependencies(context.openers, context, prepared('sink'));
    const { dependencies, epoch, ledger, damage, tables } = opened;
    const { log, state, warehouse } = dependencies;
    const streams = await startSink({
      ...context,
      dependencies: context.around('sink', dependencies),
      epoch,
    });
    const sources = {
      needed: { log, state, warehouse },
      checks: { ledger: ledger.check, damage: damage.check, tables },
    };
    return serveHealth('sink', context, sources, { ...streams });
  },
  correlator: async (context) => {
    const opened = await openDependencies(context.openers, context);
    const warehouse = await context.openers.warehouse();
    await demandTables(warehouse, TABLES_OF_ROLE.correlator);
    const dependencies = context.around('correlator', { ...opened, warehouse });
    const streams = await startCorrelator({ ...context, dependencies });
    const needed = { log: opened.log, state: opened.state, warehouse };
    return serveHealth('correlator', context, { needed }, { ...streams });
  },
};

/** Readiness of a role, also exported as metrics. */
function watchedReadiness(
  role: RoleName,
  { metrics }: RoleContext,
  sources: ReadinessSources,
): () => Promise<ReadinessReport> {
  const readiness = readinessOf(sources);
  metrics.readiness(role, readiness);
  return readiness;
}

async function serveHealth(
  role: RoleName,
  context: RoleContext,
  sources: ReadinessSources,
  streams: Readonly<Record<string, Stream>>,
): Promise<ApiAddresses> {
  const { settings, lifecycle, logger, metrics } = context;
  for (const stream of Object.values(streams)) {
    const giveUp = (): void => void lifecycle.stop().then(() => process.exit(1));
    const limits = { checkMs: STALL_CHECK_MS, limitMs: STALL_LIMIT_MS };
    lifecycle.add(
      'stall watch',
      watchForStall({ stream, logger, clock: () => performance.now(), giveUp, ...limits }),
    );
  }
  const { adminHost: host, healthPort: port } = settings;
  const readiness = watchedReadiness(role, context, { ...sources, consumers: streams });
  const server = await startHealthServer({
    host,
    port,
    readiness,
    metrics: metrics.registry,
    isAllowedHost: hostCheck(host, settings.allowedHosts),
    now: Date.now,
  });
  lifecycle.add('health server', () => server.close());
  return { url: server.url, adminUrl: server.url };
}
