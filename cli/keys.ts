import type { Command } from 'commander';
import { createApiKey, listApiKeys, revokeApiKey } from '#schemas/endpoints.ts';
import { allRows } from './command/all-rows.ts';
import { COMMAND_NEEDED, customerId, idArgument } from './command/arguments.ts';
import { internalClient } from './command/client.ts';
import { addExamples } from './command/help.ts';
import { ofCustomer } from './command/of-customer.ts';
import { minuteOf, print, printJson, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

interface KeyLine {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly status: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** `cas keys`: a customer's API keys. */
export function keysCommand(program: Command, settings: SettingsReader): void {
  const keys = program
    .command('keys')
    .usage(COMMAND_NEEDED)
    .summary('manage API keys of a customer')
    .description(
      'Create, list and revoke API keys of a customer. Needs the DATA_DIR or INTERNAL_SECRET of the service.',
    );
  addExamples(keys, [['cas keys create <customer-id> --name production'], ['cas keys list <customer-id>']]);

  const create = keys
    .command('create')
    .argument('<customer-id>', 'ID of the customer', customerId)
    .summary('create a key and print it')
    .description('Create an API key and print it. The key is shown only once.')
    .option('--name <name>', 'what the key is for', 'cas')
    .action(async (id: string, options: { name: string }) => {
      const client = internalClient(settings());
      const answer = await ofCustomer(client, id, () =>
        client.call(createApiKey, { params: { id }, body: options }),
      );
      print(String(answer.body.key));
    });
  addExamples(create, [['export CAS_API_KEY=$(cas keys create <customer-id>)']]);

  const list = keys
    .command('list')
    .argument('<customer-id>', 'ID of the customer', customerId)
    .summary('list keys')
    .description('List the API keys of a customer, newest first.')
    .action(async (id: string) => {
      const client = internalClient(settings());
      const rows = await ofCustomer(client, id, () => allRows<KeyLine>(client, listApiKeys, { id }));
      if (rows.length === 0) print(`No API keys. "cas keys create ${id}" creates one.`);
      else
        printTable(
          ['id', 'name', 'prefix', 'status', 'created (UTC)', 'last used (UTC)'],
          rows.map((row) => [
            row.id,
            row.name,
            row.prefix,
            row.status,
            minuteOf(row.createdAt),
            row.lastUsedAt === null ? 'never' : minuteOf(row.lastUsedAt),
          ]),
        );
    });
  addExamples(list, [['cas keys list <customer-id>']]);

  const revoke = keys
    .command('revoke')
    .argument('<customer-id>', 'ID of the customer', customerId)
    .argument('<key-id>', 'ID of the key', idArgument('"cas keys list <customer-id>" shows them.'))
    .summary('revoke a key')
    .description('Revoke an API key at once. This cannot be undone.')
    .action(async (id: string, keyId: string) => {
      const client = internalClient(settings());
      const answer = await ofCustomer(
        client,
        id,
        () => client.call(revokeApiKey, { params: { id, keyId } }),
        `The customer has no key ${keyId}. "cas keys list ${id}" shows its keys`,
      );
      printJson(answer.body.data);
    });
  addExamples(revoke, [['cas keys revoke <customer-id> <key-id>']]);
}
