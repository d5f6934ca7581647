import type { Command } from 'commander';
import type { SettingsReader } from '../command/settings.ts';
import type { MigrateOptions } from './migrate.ts';

/** `cas migrate`: prepares all dependencies; with `--new-epoch` accepts the loss of log, state or warehouse. */
export function migrateCommand(program: Command, settings: SettingsReader): void {
  program
    .command('migrate')
    .description(
      'make topics, schemas and tables that are missing, and check that log, state and warehouse belong together; run it once before the first start of the distributed profile and at each upgrade (embedded: the service must not run, and a start does this too)',
    )
    .option(
      '--new-epoch',
      'go on although log, state or warehouse was lost or replaced: give up what it held. Everything that the log still holds is read again; what is stored already is not stored twice. Refused while a sink or an analyzer runs. Stop every API too, which the command cannot see: one that goes on counts and reconciles audits under the old epoch',
    )
    .option(
      '--accept-older-state',
      'go on with a state that is older than the ledger: sandboxes get new versions as the state has them, API keys that were changed since stay revoked, customers who were erased since are erased again, all sessions end of customers who ended one since, and what the state does not hold is given up. Refused while a sink or an analyzer runs. Stop every API too, which the command cannot see: one that goes on makes new versions meanwhile',
    )
    .option(
      '--accept-changed-documents',
      'accept documents of the state that were changed past the service, and list them: those that differ from the ledger get new versions with entries, API keys and auditors among them are revoked, and all get seals. Refused while a sink or an analyzer runs. Stop every API too, which the command cannot see',
    )
    .option('--skip-log', 'with --new-epoch: begin at the end of the log and give up what was not stored yet')
    .action(async (options: MigrateOptions) => {
      if (options.skipLog === true && options.newEpoch !== true)
        throw new Error('--skip-log goes with --new-epoch');
      const read = settings();
      // Imported here, or every command would load all adapters without needing them.
      const { migrate } = await import('./migrate.ts');
      await migrate(read, options);
    });
}
