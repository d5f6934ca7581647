import { openDetectionPool } from '#detection/detection-pool.ts';
import type { EmbeddedSettings } from '#platform/config/settings.ts';
import { createLifecycle, type Lifecycle, leave, leaveOnSignal } from '#platform/process/lifecycle.ts';
import { createStoredNotifier } from '#platform/process/stored-notifier.ts';
import type { State } from '#platform/state/port.ts';
import { createLogger, type Logger, logOutput } from '#platform/telemetry/logger.ts';
import { createMetrics } from '#platform/telemetry/metrics/metrics.ts';
import { readinessOf } from '#platform/telemetry/readiness/readiness.ts';
import { storageCheck } from '#platform/telemetry/readiness/storage.ts';
import { hasSigned } from '#records/ledger/signing-keys.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { passesInThread } from '#services/api/evidence/chain/passes-in-thread.ts';
import { searchInThread } from '#services/api/evidence/correlations/search-in-thread.ts';
import type { ApiAddresses } from '#services/api/listeners.ts';
import { startApi } from '#services/api/main.ts';
import { loadApiKeys, masterKeyCheck } from '#services/api/process-keys.ts';
import { type EmbeddedComposition, unchanged } from './composition.ts';
import { EmbeddedDependencies } from './embedded-dependencies.ts';
import { openPackageFiles } from './package-files.ts';
import { loadPipeline, startPipeline } from './pipeline-thread.ts';
import { openStoringDependencies } from './storing-dependencies.ts';

interface Start {
  readonly settings: EmbeddedSettings;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** Receives the lines of other threads' logs. */
  readonly output: { write(line: string): void };
  readonly composition: EmbeddedComposition;
}

/** What runs when all is started. */
interface Started {
  readonly addresses: ApiAddresses;
  readonly state: State;
}

/** Starts every service in this process, in the order of their dependencies. */
async function startAll({ settings, lifecycle, logger, output, composition }: Start): Promise<Started> {
  const now = Date.now;
  const metrics = createMetrics();
  const { probe, around = unchanged, pipelineModule } = composition;
  const options = { settings, lifecycle, logger, now };
  const embedded = await EmbeddedDependencies.lock({ ...options, ...composition });
  const thread = loadPipeline(settings, pipelineModule);
  lifecycle.add('thread of analyzer and sink', thread.close);
  const opened = await openStoringDependencies(embedded, options, { initialise: true, tables: TABLES });
  const { dependencies, epoch, ledger, damage, tables } = opened;
  const { log, state, warehouse, keyring } = dependencies;
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
    // Half a service would accept audits that nothing processes.
    onDeath: (err) => {
      logger.fatal(
        { err },
        'the thread of analyzer and sink ended by itself; leaving, start the service again',
      );
      leave(lifecycle, logger, 1);
    },
  });
  lifecycle.add('analyzer and sink', pipeline.stop);
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
  return { addresses, state };
}

/** Starts the whole service in this process. Rejects, with everything closed again, when a part does not start. */
export async function start(
  settings: EmbeddedSettings,
  composition: EmbeddedComposition = {},
): Promise<Started> {
  const output = logOutput();
  const logger = createLogger(settings.logLevel, output);
  const lifecycle = createLifecycle(logger);
  leaveOnSignal(lifecycle, logger);
  return startAll({ settings, lifecycle, logger, output, composition }).catch(async (error: unknown) => {
    await lifecycle.stop();
    throw error;
  });
}
