import type { Command } from 'commander';
import { limitHeapGrowth } from '#app/heap-growth.ts';
import { openLogs } from './command/logs.ts';
import type { SettingsReader } from './command/settings.ts';
import { greet } from './start-greeting.ts';
import { openScreen, QUIET } from './start-screen.ts';

/** `cas start`: the whole service in one process tree, with all its dependencies embedded. */
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
      if (read.profile === 'distributed') {
        throw new Error(
          '"cas start" runs every service in one process tree on what it embeds, and KAFKA_BROKERS is set. Run "cas migrate" once and then "cas api", "cas analyzer", "cas sink" and "cas correlator", any number of each; or unset KAFKA_BROKERS, CLICKHOUSE_URL, REDIS_URL and SCHEMA_REGISTRY_URL.',
        );
      }
      limitHeapGrowth();
      const screen = options.quiet === true ? QUIET : openScreen(process.stdout);
      const logs = openLogs(read, screen.endLine);
      let isStopping = false;
      // Imported here so that other commands do not load all services.
      const { start } = await import('#app/start.ts');
      try {
        const { url, adminUrl } = await start(
          { ...read, logLevel: logs.isText ? read.terminalLogLevel : read.logLevel },
          {},
          {
            output: logs.output,
            onReady: (stage) => screen.done(`${stage} ready`),
            ...(options.quiet === true ? {} : { greet: (addresses) => greet(screen, read, addresses) }),
            onDrain: () => {
              isStopping = true;
              screen.stopping();
            },
          },
        );
        process.send?.({ ready: url, admin: adminUrl });
      } catch (error) {
        screen.endLine();
        // An interrupted start fails with errors that mean nothing.
        if (!isStopping) throw error;
      }
    });
}
