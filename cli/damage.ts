import type { Command } from 'commander';
import type { DamagedRange } from '#schemas/api/damage.ts';
import { listCustomers, listDamage } from '#schemas/endpoints.ts';
import { allRows } from './accounts.ts';
import { internalClient } from './command/client.ts';
import { print, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

const inLog = (is: boolean | null): string => (is === null ? 'not known' : is ? 'yes' : 'no');

/** `cas damage`: what the warehouse has lost, and what can be restored, through the internal interface. */
export function damageCommand(program: Command, settings: SettingsReader): void {
  program
    .command('damage [customer-id]')
    .description('read the ledger of a customer, or of all, and list entries that are damaged or missing')
    .action(async (wanted: string | undefined) => {
      const client = internalClient(settings());
      const all = async (): Promise<string[]> =>
        (await allRows<{ readonly id: string }>(client, listCustomers)).map(({ id }) => id);
      const rows: (string | number)[][] = [];
      for (const id of wanted === undefined ? await all() : [wanted]) {
        const { body } = await client.call(listDamage, { params: { id } });
        for (const one of body.data as unknown as DamagedRange[])
          rows.push([
            id,
            one.reason,
            `${one.fromIndex} to ${one.toIndex}`,
            one.partition,
            one.fromOffset ?? 'not known',
            inLog(one.isInLog),
          ]);
      }
      if (rows.length === 0) {
        print('No entry of a ledger is damaged or missing.');
        return;
      }
      printTable(['customer', 'what', 'entries', 'partition', 'from offset', 'in the log'], rows);
      print(
        '\nStop the service and restore the warehouse from its last backup, whole. After the start the sink folds again what the log still holds after the position of the backup: entries that are in the log come back with it. Entries that are not come back only with a backup that holds them. See "Damaged data" in docs/deployment.md.',
      );
      process.exitCode = 1;
    });
}
