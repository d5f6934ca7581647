import type { Command } from 'commander';
import { agreeOnEpoch, beginNewEpoch } from '../platform/runtime/epoch.ts';
import { createLifecycle, type Lifecycle } from '../platform/runtime/lifecycle.ts';
import { createLogger } from '../platform/runtime/logger.ts';
import { chooseParts, isEmbedded } from '../platform/runtime/parts.ts';
import type { Settings } from '../platform/runtime/settings.ts';
import { ANALYZER_GROUP } from '../services/analyzer/run-analyzer.ts';
import { storeFirstPositions } from '../services/sink/new-epoch.ts';
import { SINK_GROUP } from '../services/sink/pipeline.ts';
import { warehouseStore } from '../services/sink/queries.ts';
import { newId } from './new-id.ts';
import { print } from './output.ts';
import type { SettingsReader } from './settings.ts';

interface MigrateOptions {
  readonly newEpoch?: boolean;
  readonly skipLog?: boolean;
}

/** Makes parts ready for the services: topics, schemas, tables and the log epoch that all agree on. */
async function migrateParts(
  settings: Settings,
  options: MigrateOptions,
  lifecycle: Lifecycle,
): Promise<void> {
  const { newEpoch = false, skipLog = false } = options;
  const logger = createLogger(settings.logLevel);
  if (!isEmbedded(settings)) {
    const { prepareRealParts } = await import('../platform/runtime/prepare.ts');
    await prepareRealParts(settings, logger, print);
  }
  const now = Date.now;
  const openers = await chooseParts({ settings, lifecycle, logger, now });
  const state = await openers.state();
  const log = await openers.log();
  const warehouse = await openers.warehouse();
  const parts = { log, state, warehouse, now, newId };
  if (!newEpoch) {
    const epoch = await agreeOnEpoch(parts, { initialise: true });
    print(`The tables are up to date. Log, state and warehouse agree on log epoch ${epoch}.`);
    return;
  }
  const positions = { log, store: warehouseStore(warehouse), now };
  const epoch = await beginNewEpoch(parts, [SINK_GROUP, ANALYZER_GROUP], (next) =>
    storeFirstPositions(positions, next, skipLog ? 'end' : 'start'),
  );
  print(
    `Log epoch ${epoch} begins at the ${skipLog ? 'end' : 'start'} of the log. Start the services again.`,
  );
}

/** `cas migrate`: brings the parts up to date; with `--new-epoch` accepts that log, state or warehouse was lost. */
export function migrateCommand(program: Command, settings: SettingsReader): void {
  program
    .command('migrate')
    .description(
      'make topics, schemas and tables that are missing, and check that the parts belong together; run it once before the first start on real parts and at each upgrade (embedded parts: the service must not run, and a start does this too)',
    )
    .option(
      '--new-epoch',
      'go on although log, state or warehouse was lost or replaced: give up what it held. Everything that the log still holds is read again; what is stored already is not stored twice. Refused while a sink or an analyzer runs',
    )
    .option('--skip-log', 'with --new-epoch: begin at the end of the log and give up what was not stored yet')
    .action(async (options: MigrateOptions) => {
      if (options.skipLog === true && options.newEpoch !== true)
        throw new Error('--skip-log goes with --new-epoch');
      const read = settings();
      const lifecycle = createLifecycle(createLogger(read.logLevel));
      try {
        await migrateParts(read, options, lifecycle);
      } finally {
        await lifecycle.stop();
      }
    });
}
