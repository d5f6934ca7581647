import type { Command } from 'commander';
import type { SettingsReader } from '../settings.ts';

/** `cas start`: the whole service in one process tree on embedded parts. */
export function startCommand(program: Command, settings: SettingsReader): void {
  program
    .command('start')
    .description('run every service in one process tree, data in DATA_DIR')
    .option(
      '--quiet',
      'print nothing and make no demo customer (made only where HOST is loopback, for its key is printed)',
    )
    .action(async (options: { quiet?: boolean }) => {
      const read = settings();
      // Only here: the other commands would load all services, and none of them needs one.
      const { start } = await import('./start.ts');
      await start(read, { quiet: options.quiet === true });
    });
}
