import { type Command, InvalidArgumentError } from 'commander';
import type { AnyRequest, Endpoint } from '#schemas/api/openapi/request.ts';
import {
  acceptRollback,
  createApiKey,
  createCustomer,
  eraseCustomer,
  getCustomer,
  listApiKeys,
  listCustomers,
  revokeApiKey,
  updateCustomer,
} from '#schemas/endpoints.ts';
import { CUSTOMER_TYPES, PLANS } from '#schemas/vocabulary.ts';
import { type Answer, type Client, internalClient } from './command/client.ts';
import { print, printJson, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

interface CustomerLine {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly erasure?: { readonly status: string };
}

interface KeyLine {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly status: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** Every row of a list, page by page. */
export async function allRows<Row>(
  client: Client,
  endpoint: Endpoint,
  params?: AnyRequest['params'],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Answer = await client.call(endpoint, { params, query: { limit: 100, cursor } });
    rows.push(...(body.data as unknown as Row[]));
    cursor = (body.pagination as unknown as { nextCursor: string | null }).nextCursor;
  }
  return rows;
}

/** Removes an override. A separate value, because the option parser turns null into an empty text. */
const NONE = Symbol('none');

function numberOrNone(text: string): number | typeof NONE {
  if (text === 'none') return NONE;
  if (!/^\d{1,10}$/.test(text))
    throw new InvalidArgumentError("give a whole number, or none for the plan's.");
  return Number(text);
}

/** `cas accounts`: customers of a running service, through its internal interface. */
export function accountsCommand(program: Command, settings: SettingsReader): void {
  const accounts = program
    .command('accounts')
    .description('make, list, show, change and erase customers of a running service');

  accounts
    .command('create <name>')
    .description('make a customer')
    .option('--type <type>', CUSTOMER_TYPES.join(' or '), 'COMPANY')
    .option('--plan <plan>', PLANS.join(', '), 'DEV')
    .action(async (name: string, options: { type: string; plan: string }) => {
      const answer = await internalClient(settings()).call(createCustomer, {
        body: {
          name,
          ...options,
        },
      });
      printJson(answer.body.data);
    });

  accounts
    .command('list')
    .description('list customers')
    .action(async () => {
      const rows = await allRows<CustomerLine>(internalClient(settings()), listCustomers);
      printTable(
        ['id', 'name', 'type', 'plan', 'created', 'erasure'],
        rows.map((row) => [row.id, row.name, row.type, row.plan, row.createdAt, row.erasure?.status ?? '']),
      );
    });

  accounts
    .command('show <customer-id>')
    .description('show a customer with its limits')
    .action(async (customerId: string) => {
      const params = { id: customerId };
      printJson((await internalClient(settings()).call(getCustomer, { params })).body.data);
    });

  changeCommands(accounts, settings);
}

function changeCommands(accounts: Command, settings: SettingsReader): void {
  accounts
    .command('update <customer-id>')
    .description('change a customer; its next request follows it')
    .option('--name <name>')
    .option('--plan <plan>', PLANS.join(', '))
    .option('--rate <number>', 'requests a second, or none', numberOrNone)
    .option('--burst <number>', 'requests at once, or none', numberOrNone)
    .option('--audit-quota <number>', 'audits a month, or none', numberOrNone)
    .option('--sandbox-quota <number>', 'sandboxes, or none', numberOrNone)
    .action(async (customerId: string, options: object) => {
      const change = Object.fromEntries(
        Object.entries(options).map(([name, value]) => [name, value === NONE ? null : value]),
      );
      const answer = await internalClient(settings()).call(updateCustomer, {
        params: { id: customerId },
        body: change,
      });
      printJson(answer.body.data);
    });

  accounts
    .command('accept-rollback <customer-id>')
    .description(
      'sign a ledger again that does not go on from its last checkpoint: the lost note is named in the ledger. There is no way back',
    )
    .requiredOption('--reason <text>', 'what happened; it is kept, sealed')
    .option('--by <name>', 'who accepts it', 'operator')
    .action(async (customerId: string, { reason, by }: { reason: string; by: string }) => {
      const answer = await internalClient(settings()).call(acceptRollback, {
        params: { id: customerId },
        body: { reason, acceptedBy: by },
      });
      printJson(answer.body.data);
    });

  accounts
    .command('delete <customer-id>')
    .description('erase a customer: its keys are refused at once, its content follows. There is no way back')
    .option('--yes', 'really do it')
    .action(async (customerId: string, options: { yes?: boolean }) => {
      const client = internalClient(settings());
      const params = { id: customerId };
      const { name } = (await client.call(getCustomer, { params })).body;
      if (options.yes !== true) {
        throw new Error(
          `this erases customer ${JSON.stringify(name)} with all its keys, sandboxes, audits and signals, and cannot be undone; say --yes to do it`,
        );
      }
      printJson((await client.call(eraseCustomer, { params })).body.data);
    });
}

/** `cas keys`: API keys of a customer. */
export function keysCommand(program: Command, settings: SettingsReader): void {
  const keys = program.command('keys').description('make, list and revoke API keys of a customer');

  keys
    .command('create <customer-id>')
    .description('make a key; it is printed once and cannot be shown again')
    .option('--name <name>', 'what the key is for', 'cas')
    .action(async (customerId: string, options: { name: string }) => {
      const answer = await internalClient(settings()).call(createApiKey, {
        params: { id: customerId },
        body: options,
      });
      print(String(answer.body.key));
    });

  keys
    .command('list <customer-id>')
    .description('list keys')
    .action(async (customerId: string) => {
      const rows = await allRows<KeyLine>(internalClient(settings()), listApiKeys, { id: customerId });
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
      const answer = await internalClient(settings()).call(revokeApiKey, {
        params: { id: customerId, keyId },
      });
      printJson(answer.body.data);
    });
}
