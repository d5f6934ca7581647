import type { Command } from 'commander';
import { createCrashPoint } from '../../platform/runtime/crash-point.ts';
import { agreeOnEpoch } from '../../platform/runtime/epoch.ts';
import { loadApiKeys } from '../../platform/runtime/keys.ts';
import { createLifecycle, type Lifecycle, leaveOnSignal } from '../../platform/runtime/lifecycle.ts';
import { createLogger, type Logger } from '../../platform/runtime/logger.ts';
import { createMetrics } from '../../platform/runtime/metrics.ts';
import { chooseParts, isEmbedded, openParts, type StoringParts } from '../../platform/runtime/parts.ts';
import { readinessOf } from '../../platform/runtime/readiness.ts';
import type { ServiceContext } from '../../platform/runtime/service-context.ts';
import type { Settings } from '../../platform/runtime/settings.ts';
import { createStoredNotifier } from '../../platform/runtime/stored-notifier.ts';
import { startAnalyzer } from '../../services/analyzer/main.ts';
import { startApi } from '../../services/api/main.ts';
import { checkPositions, startSink } from '../../services/sink/main.ts';
import { newId } from '../new-id.ts';
import { print } from '../output.ts';
import type { SettingsReader } from '../settings.ts';
import { makeDemoAccount } from './demo-account.ts';
import { obeyTestControls } from './test-controls.ts';

/** Every service in this process, in the order in which they need each other. Resolves to the API's address. */
async function startAll(settings: Settings, lifecycle: Lifecycle, logger: Logger): Promise<string> {
  const now = Date.now;
  const metrics = createMetrics();
  const crashPoint = createCrashPoint(settings.crashAt);
  const options = { settings, lifecycle, logger, now };
  const chosen = await chooseParts(options);
  const keys = loadApiKeys(settings);
  const opened = await openParts(chosen, options);
  const parts: StoringParts = { ...opened, warehouse: await chosen.warehouse() };
  const { log, state, warehouse } = parts;
  if (settings.test && chosen.embedded !== null) obeyTestControls(chosen.embedded, lifecycle);

  const epoch = await agreeOnEpoch({ ...parts, now, newId }, { initialise: isEmbedded(settings) });
  await checkPositions(parts, epoch);

  const context: ServiceContext<StoringParts> = {
    parts,
    settings,
    lifecycle,
    logger,
    metrics,
    now,
    crashPoint,
  };
  const stored = createStoredNotifier();
  const sink = await startSink({ ...context, epoch, onFinal: stored.notify });
  const analyzer = await startAnalyzer(context);
  return startApi({
    ...context,
    keys,
    readiness: readinessOf({ log, warehouse, state }, { sink, analyzer }),
    onStored: stored.subscribe,
  });
}

/** `cas start`: the whole service in one process tree on embedded parts. */
export function startCommand(program: Command, settings: SettingsReader): void {
  program
    .command('start')
    .description('run every service in one process tree, data in DATA_DIR')
    .option('--quiet', 'print nothing and make no demo customer')
    .action(async (options: { quiet?: boolean }) => {
      const read = settings();
      const logger = createLogger(read.logLevel);
      const lifecycle = createLifecycle(logger);
      leaveOnSignal(lifecycle, logger);
      const url = await startAll(read, lifecycle, logger).catch(async (error: unknown) => {
        await lifecycle.stop();
        throw error;
      });
      if (options.quiet !== true) {
        print(`Compliance Audit Service at ${url}, data in ${read.dataDir}. Ctrl-C stops it.\n`);
        await makeDemoAccount(read, url);
      }
      process.send?.({ ready: url });
    });
}
