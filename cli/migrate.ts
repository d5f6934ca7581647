import type { Command } from 'commander';
import { beginNewEpoch } from '../platform/runtime/epoch.ts';
import { createLifecycle } from '../platform/runtime/lifecycle.ts';
import { createLogger } from '../platform/runtime/logger.ts';
import { openEmbeddedParts } from '../platform/runtime/parts.ts';
import { storeFirstPositions } from '../services/sink/new-epoch.ts';
import { warehouseStore } from '../services/sink/queries.ts';
import { newId } from './new-id.ts';
import { print } from './output.ts';
import type { SettingsReader } from './settings.ts';

interface MigrateOptions {
  readonly newEpoch?: boolean;
  readonly skipLog?: boolean;
}

/** `cas migrate`: brings tables up to date; with `--new-epoch` accepts that log, state or warehouse was lost. */
export function migrateCommand(program: Command, settings: SettingsReader): void {
  program
    .command('migrate')
    .description('bring the tables up to date (a start does this too); the service must not run')
    .option(
      '--new-epoch',
      'go on although log, state or warehouse was lost or replaced: give up what it held. Everything that the log still holds is read again; what is stored already is not stored twice',
    )
    .option('--skip-log', 'with --new-epoch: begin at the end of the log and give up what was not stored yet')
    .action(async ({ newEpoch = false, skipLog = false }: MigrateOptions) => {
      if (skipLog && !newEpoch) throw new Error('--skip-log goes with --new-epoch');
      const logger = createLogger(settings().logLevel);
      const lifecycle = createLifecycle(logger);
      try {
        const parts = await openEmbeddedParts(settings(), lifecycle, logger, Date.now);
        print('The tables are up to date.');
        if (!newEpoch) return;
        const positions = { log: parts.log, store: warehouseStore(parts.warehouse), now: Date.now };
        const epoch = await beginNewEpoch({ ...parts, now: Date.now, newId }, (next) =>
          storeFirstPositions(positions, next, skipLog ? 'end' : 'start'),
        );
        print(
          `Log epoch ${epoch} begins at the ${skipLog ? 'end' : 'start'} of the log. Start the service again.`,
        );
      } finally {
        await lifecycle.stop();
      }
    });
}
