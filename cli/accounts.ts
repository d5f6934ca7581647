import type { Command } from 'commander';
import { CUSTOMER_TYPES, PLANS } from '../schemas/vocabulary.ts';
import { internalClient } from './client.ts';
import { print, printJson, printTable } from './output.ts';
import type { SettingsReader } from './settings.ts';

interface CustomerLine {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly plan: string;
  readonly createdAt: string;
}

interface KeyLine {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly status: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** `cas accounts`: customers of a running service, through its internal interface. */
export function accountsCommand(program: Command, settings: SettingsReader): void {
  const accounts = program.command('accounts').description('make and list customers of a running service');

  accounts
    .command('create <name>')
    .description('make a customer')
    .option('--type <type>', CUSTOMER_TYPES.join(' or '), 'COMPANY')
    .option('--plan <plan>', PLANS.join(', '), 'DEV')
    .action(async (name: string, options: { type: string; plan: string }) => {
      const answer = await internalClient(settings()).call('POST', '/internal/customers', {
        name,
        ...options,
      });
      printJson(answer.body.data);
    });

  accounts
    .command('list')
    .description('list customers')
    .action(async () => {
      const answer = await internalClient(settings()).call('GET', '/internal/customers?limit=100');
      const rows = answer.body.data as unknown as CustomerLine[];
      printTable(
        ['id', 'name', 'type', 'plan', 'created'],
        rows.map((row) => [row.id, row.name, row.type, row.plan, row.createdAt]),
      );
    });
}

/** `cas keys`: API keys of a customer. */
export function keysCommand(program: Command, settings: SettingsReader): void {
  const keys = program.command('keys').description('make, list and revoke API keys of a customer');
  const pathOf = (customerId: string): string =>
    `/internal/customers/${encodeURIComponent(customerId)}/api-keys`;

  keys
    .command('create <customer-id>')
    .description('make a key; it is printed once and cannot be shown again')
    .option('--name <name>', 'what the key is for', 'cas')
    .action(async (customerId: string, options: { name: string }) => {
      const answer = await internalClient(settings()).call('POST', pathOf(customerId), options);
      print(String(answer.body.key));
    });

  keys
    .command('list <customer-id>')
    .description('list keys')
    .action(async (customerId: string) => {
      const answer = await internalClient(settings()).call('GET', pathOf(customerId));
      const rows = answer.body.data as unknown as KeyLine[];
      printTable(
        ['id', 'name', 'prefix', 'status', 'created', 'last used'],
        rows.map((row) => [
          row.id,
          row.name,
          row.prefix,
          row.status,
          row.createdAt,
          row.lastUsedAt ?? 'never',
        ]),
      );
    });

  keys
    .command('revoke <customer-id> <key-id>')
    .description('revoke a key: at once and for good')
    .action(async (customerId: string, keyId: string) => {
      const answer = await internalClient(settings()).call(
        'DELETE',
        `${pathOf(customerId)}/${encodeURIComponent(keyId)}`,
      );
      printJson(answer.body.data);
    });
}
