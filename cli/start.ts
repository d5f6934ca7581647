import type { Command } from 'commander';
import { limitHeapGrowth } from '#app/heap-growth.ts';
import { isLoopback } from '#platform/config/allowed-hosts.ts';
import { print } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

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
      // Imported here, or every command would load all services without needing them.
      const { start } = await import('#app/start.ts');
      const { makeDemoAccount } = await import('./demo-account.ts');
      const { addresses, state } = await start(read);
      const { url, adminUrl } = addresses;
      if (options.quiet !== true) {
        print(`Compliance Audit Service at ${url}, data in ${read.dataDir}. Ctrl-C stops it.\n`);
        if (isLoopback(read.host)) await makeDemoAccount(read, state, addresses);
      }
      process.send?.({ ready: url, admin: adminUrl });
    });
}
