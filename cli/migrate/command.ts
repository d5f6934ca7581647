import type { Command } from 'commander';
import { WrongUsage } from '../command/exit-codes.ts';
import { addExamples } from '../command/help.ts';
import type { SettingsReader } from '../command/settings.ts';
import type { MigrateOptions } from './migrate.ts';

/** `cas migrate`: prepares all dependencies; with `--new-epoch` accepts the loss of log, state or warehouse. */
export function migrateCommand(program: Command, settings: SettingsReader): void {
  const command = program
    .command('migrate')
    .summary('create or upgrade topics, schemas and tables')
    .description(
      [
        'Create missing topics, schemas and tables, and check that log, state and warehouse belong together.',
        'Distributed: run it before the first start and at each upgrade. Embedded: "cas start" does it; stop the service before you run it.',
        `The --new-epoch and --accept options accept a loss. They are refused while a sink or an analyzer runs. Stop every API server too: this command cannot see them.`,
      ].join('\n\n'),
    )
    .option(
      '--new-epoch',
      'continue after the log, state or warehouse was lost or replaced: what it held is lost, what the log still holds is read again, and nothing is stored twice',
    )
    .option('--skip-log', 'with --new-epoch: start at the end of the log and drop what was not stored yet')
    .option(
      '--accept-older-state',
      'continue with a state that is older than the ledger: sandboxes get new versions, API keys changed since stay revoked, customers erased since are erased again, sessions ended since stay ended, and what is missing in the state is lost',
    )
    .option(
      '--accept-changed-documents',
      'accept and list documents that were changed outside the service: those that differ from the ledger get new versions, API keys and auditors among them are revoked, and all are sealed again',
    )
    .action(async (options: MigrateOptions) => {
      if (options.skipLog === true && options.newEpoch !== true)
        throw new WrongUsage('--skip-log needs --new-epoch. (cas migrate --help)');
      const read = settings();
      // Imported here so that other commands do not load all adapters.
      const { migrate } = await import('./migrate.ts');
      await migrate(read, options);
    });
  addExamples(command, [
    ['cas migrate', 'before the first start, and at each upgrade'],
    ['cas migrate --new-epoch', 'after an empty Redis replaced a lost one'],
  ]);
}
