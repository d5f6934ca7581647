import { openDetectionPool } from '#detection/detection-pool.ts';
import type { EmbeddedSettings } from '#platform/config/settings.ts';
import { createLifecycle, type Lifecycle, leave, leaveOnSignal } from '#platform/process/lifecycle.ts';
import { createStoredNotifier } from '#platform/process/stored-notifier.ts';
import { createLogger, type Logger, logOutput } from '#platform/telemetry/logger.ts';
import { createMetrics } from '#platform/telemetry/metrics/metrics.ts';
import { readinessOf } from '#platform/telemetry/readiness/readiness.ts';
import { storageCheck } from '#platform/telemetry/readiness/storage.ts';
import { hasSigned } from '#records/ledger/signing-keys.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { passesInThread } from '#services/api/evidence/chain/passes-in-thread.ts';
import { searchInThread } from '#services/api/evidence/correlations/search-in-thread.ts';
import { type ApiAddresses, demandFreePorts } from '#services/api/listeners.ts';
import { startApi, warmUp } from '#services/api/main.ts';
import { loadApiKeys, masterKeyCheck } from '#services/api/process-keys.ts';
import { type EmbeddedComposition, unchanged } from './composition.ts';
import { EmbeddedDependencies } from './embedded-dependencies.ts';
import { openPackageFiles } from './package-files.ts';
import { loadPipeline, startPipeline } from './pipeline-thread.ts';
import { openStoringDependencies } from './storing-dependencies.ts';
import { warnMisspelled } from './warn-misspelled.ts';

/** How a program shows a start and its end. */
interface StartView {
  /** Receives log lines, including those of other threads. */
  readonly output?: { write(line: string): void };
  readonly onReady?: (stage: 'storage' | 'pipeline') => void;
  /** Awaited when everything is started, before detection warms up, which would slow it down. */
  readonly greet?: (addresses: ApiAddresses) => Promise<void>;
  readonly onDrain?: () => void;
}

interface Start {
  readonly settings: EmbeddedSettings;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly output: { write(line: string): void };
  readonly composition: EmbeddedComposition;
  readonly view: StartView;
}

/** Starts every service in this process, in dependency order. */
async function startAll(given: Start): Promise<ApiAddresses> {
  const { settings, lifecycle, logger, output, composition, view } = given;
  const now = Date.now;
  const metrics = createMetrics();
  const { probe, around = unchanged, pipelineModule } = composition;
  const options = { settings, lifecycle, logger, now };
  await demandFreePorts(settings);
  const embedded = await EmbeddedDependencies.lock({ ...options, ...composition });
  const thread = loadPipeline(settings, pipelineModule);
  lifecycle.add('thread of analyzer and sink', thread.close);
  const opened = await openStoringDependencies(embedded, options, { initialise: true, tables: TABLES });
  const { dependencies, epoch, ledger, damage, tables } = opened;
  const { log, state, warehouse, keyring } = dependencies;
  view.onReady?.('storage');
  const keys = loadApiKeys(settings, { hasSigned: await hasSigned(state.documents) });

  metrics.storage(() => embedded.storage());
  const stored = createStoredNotifier();
  const detectionTasks = openDetectionPool(settings, lifecycle);
  const passes = passesInThread({ warehouse: embedded.warehouseAddress(), log, onDamage: damage.saw });
  lifecycle.add('verification thread', passes.close);
  const pipeline = await startPipeline(thread, {
    epoch,
    shared: embedded.share(),
    detectionTasks,
    metrics,
    output,
    onFinal: stored.notify,
    onDeath: leaveAtDeath(lifecycle, logger),
  });
  lifecycle.add('analyzer and sink', pipeline.stop);
  view.onReady?.('pipeline');
  const { packages, packageChecks } = await openPackageFiles(options);
  const readiness = readinessOf({
    needed: { log, state },
    useful: { warehouse },
    consumers: pipeline.consumers,
    servesWhileWaiting: true,
    checks: {
      ledger: ledger.check,
      damage: damage.check,
      tables,
      masterKey: masterKeyCheck(keyring),
      storage: async () => storageCheck(embedded.storage()),
      ...packageChecks,
    },
  });
  metrics.readiness('embedded', readiness);
  const addresses = await startApi({
    ...options,
    dependencies: around('api', dependencies),
    epoch,
    ledger,
    metrics,
    probe,
    keys,
    detectionTasks,
    passes,
    patternSearch: searchInThread(embedded.warehouseAddress()),
    packages,
    readiness,
    onStored: stored.subscribe,
  });
  await view.greet?.(addresses);
  warmUp({ settings, detectionTasks, lifecycle });
  return addresses;
}

/** Half a service would accept audits that nothing processes. */
const leaveAtDeath = (lifecycle: Lifecycle, logger: Logger) => (err: Error) => {
  logger.fatal({ err }, 'pipeline thread exited unexpectedly; exiting');
  leave(lifecycle, logger, 1);
};

/** Starts the whole service in this process. If something fails to start, closes everything again and rejects. */
export async function start(
  settings: EmbeddedSettings,
  composition: EmbeddedComposition = {},
  view: StartView = {},
): Promise<ApiAddresses> {
  const { output = logOutput() } = view;
  const logger = createLogger(settings.logLevel, output);
  warnMisspelled(logger, settings.misspelled);
  const lifecycle = createLifecycle(logger);
  leaveOnSignal(lifecycle, logger, undefined, view.onDrain);
  return startAll({ settings, lifecycle, logger, output, composition, view }).catch(
    async (error: unknown) => {
      await lifecycle.stop();
      throw error;
    },
  );
}
