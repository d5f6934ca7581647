import type { Command } from 'commander';
import type { DamagedRange } from '#schemas/api/damage.ts';
import { getCustomer, listCustomers, listDamage } from '#schemas/endpoints.ts';
import { allRows } from './command/all-rows.ts';
import { customerId } from './command/arguments.ts';
import { internalClient } from './command/client.ts';
import { FAILED } from './command/exit-codes.ts';
import { addExamples } from './command/help.ts';
import { ofCustomer } from './command/of-customer.ts';
import { print, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

const UNKNOWN = 'unknown';
const inLog = (is: boolean | null): string => (is === null ? UNKNOWN : is ? 'yes' : 'no');

const ADVICE = `
Stop the service and restore the warehouse from its last backup. After the start,
the sink reads again what the log holds after that backup, and entries that are
in the log are restored. Other entries need a backup that contains them. See
"Damaged data" in docs/recovery.md.`;

/** `cas damage`: what the warehouse has lost, and what can be restored, through the internal API. */
export function damageCommand(program: Command, settings: SettingsReader): void {
  const damage = program
    .command('damage')
    .argument('[customer-id]', 'ID of the customer (default: all)', customerId)
    .summary('find damaged or missing ledger entries')
    .description(
      'Read the ledger of one customer, or of all, and list damaged and missing entries. Exits with 1 if there are any. Needs the DATA_DIR or INTERNAL_SECRET of the service.',
    )
    .action(async (wanted: string | undefined) => {
      const client = internalClient(settings());
      const all = async (): Promise<string[]> =>
        (await allRows<{ readonly id: string }>(client, listCustomers)).map(({ id }) => id);
      if (wanted !== undefined)
        await ofCustomer(client, wanted, () => client.call(getCustomer, { params: { id: wanted } }));
      const rows: (string | number)[][] = [];
      for (const id of wanted === undefined ? await all() : [wanted]) {
        const { body } = await client.call(listDamage, { params: { id } });
        for (const one of body.data as unknown as DamagedRange[])
          rows.push([
            id,
            one.reason,
            `${one.fromIndex} to ${one.toIndex}`,
            one.partition,
            one.fromOffset ?? UNKNOWN,
            inLog(one.isInLog),
          ]);
      }
      if (rows.length === 0) {
        print('No damaged or missing ledger entries.');
        return;
      }
      printTable(['customer', 'problem', 'entries', 'partition', 'offset', 'in log'], rows);
      print(ADVICE);
      process.exitCode = FAILED;
    });
  addExamples(damage, [['cas damage', 'all customers'], ['cas damage 01993d5a-7c00-7000-8000-0000000000a7']]);
}
