import { isLoopback } from '../../platform/runtime/allowed-hosts.ts';
import { createCrashPoint } from '../../platform/runtime/crash-point.ts';
import { agreeOnEpoch } from '../../platform/runtime/epoch.ts';
import { loadApiKeys } from '../../platform/runtime/keys.ts';
import { watchLedger } from '../../platform/runtime/ledger-watch.ts';
import { createLifecycle, type Lifecycle, leave, leaveOnSignal } from '../../platform/runtime/lifecycle.ts';
import { createLogger, type Logger, logOutput } from '../../platform/runtime/logger.ts';
import { createMetrics } from '../../platform/runtime/metrics.ts';
import { refuseOlderState } from '../../platform/runtime/older-state.ts';
import { chooseParts, isEmbedded, openParts, type StoringParts } from '../../platform/runtime/parts.ts';
import { readinessOf } from '../../platform/runtime/readiness.ts';
import type { Settings } from '../../platform/runtime/settings.ts';
import { storageCheck } from '../../platform/runtime/storage.ts';
import { createStoredNotifier } from '../../platform/runtime/stored-notifier.ts';
import { NOTHING_SHARED } from '../../platform/runtime/thread-parts.ts';
import type { ApiAddresses } from '../../services/api/listeners.ts';
import { startApi } from '../../services/api/main.ts';
import { checkPositions } from '../../services/sink/main.ts';
import { newId } from '../new-id.ts';
import { print } from '../output.ts';
import { makeDemoAccount } from './demo-account.ts';
import { startPipeline } from './pipeline-thread.ts';
import { obeyTestControls } from './test-controls.ts';

interface Start {
  readonly settings: Settings;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** Takes the lines of other threads' logs. */
  readonly output: { write(line: string): void };
}

/** Every service in this process, in the order in which they need each other. Resolves to the API's addresses. */
async function startAll({ settings, lifecycle, logger, output }: Start): Promise<ApiAddresses> {
  const now = Date.now;
  const metrics = createMetrics();
  const crashPoint = createCrashPoint(settings.crashAt);
  const options = { settings, lifecycle, logger, now };
  const chosen = await chooseParts(options);
  const keys = loadApiKeys(settings);
  const opened = await openParts(chosen, options);
  const parts: StoringParts = { ...opened, warehouse: await chosen.warehouse() };
  const { log, state, warehouse } = parts;

  const epoch = await agreeOnEpoch({ ...parts, now, newId }, { initialise: isEmbedded(settings) });
  await checkPositions(parts, epoch);
  await refuseOlderState(parts);
  const ledger = watchLedger({ ...parts, logger });
  lifecycle.add('comparison of state and ledger', ledger.stop);

  const { embedded } = chosen;
  if (embedded !== null) metrics.storage(embedded.storage);
  const stored = createStoredNotifier();
  const pipeline = await startPipeline({
    settings,
    epoch,
    shared: chosen.embedded?.share() ?? NOTHING_SHARED,
    metrics,
    output,
    onFinal: stored.notify,
    // Half a service would take what nobody works on.
    onDeath: (err) => {
      logger.fatal(
        { err },
        'the thread of analyzer and sink ended by itself; leaving, start the service again',
      );
      leave(lifecycle, logger, 1);
    },
  });
  lifecycle.add('analyzer and sink', pipeline.stop);
  if (settings.test && chosen.embedded !== null) obeyTestControls(chosen.embedded, pipeline, lifecycle);
  return startApi({
    ...options,
    parts,
    epoch,
    metrics,
    crashPoint,
    keys,
    readiness: readinessOf({ log, warehouse, state }, pipeline.consumers, {
      ledger: ledger.check,
      ...(embedded === null ? {} : { storage: async () => storageCheck(embedded.storage()) }),
    }),
    onStored: stored.subscribe,
  });
}

/** Starts the whole service in this process and tells who started it where it listens. */
export async function start(settings: Settings, { quiet }: { readonly quiet: boolean }): Promise<void> {
  const output = logOutput();
  const logger = createLogger(settings.logLevel, output);
  const lifecycle = createLifecycle(logger);
  leaveOnSignal(lifecycle, logger);
  const { url, adminUrl } = await startAll({ settings, lifecycle, logger, output }).catch(
    async (error: unknown) => {
      await lifecycle.stop();
      throw error;
    },
  );
  if (!quiet) {
    print(`Compliance Audit Service at ${url}, data in ${settings.dataDir}. Ctrl-C stops it.\n`);
    if (isLoopback(settings.host)) await makeDemoAccount(settings, { url, adminUrl });
  }
  process.send?.({ ready: url, admin: adminUrl });
}
