import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  acceptRollback,
  createCustomer,
  eraseCustomer,
  getCustomer,
  listCustomers,
  updateCustomer,
} from '#schemas/endpoints.ts';
import { CUSTOMER_TYPES, PLANS } from '#schemas/vocabulary.ts';
import { allRows } from './command/all-rows.ts';
import { COMMAND_NEEDED, customerId } from './command/arguments.ts';
import { internalClient } from './command/client.ts';
import { WrongUsage } from './command/exit-codes.ts';
import { addExamples } from './command/help.ts';
import { ofCustomer } from './command/of-customer.ts';
import { minuteOf, print, printJson, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

interface CustomerLine {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly erasure?: { readonly status: string };
}

/** Removes an override. A separate value, because the option parser turns null into an empty text. */
const NONE = Symbol('none');

function numberOrNone(text: string): number | typeof NONE {
  if (text === 'none') return NONE;
  if (!/^\d{1,10}$/.test(text))
    throw new InvalidArgumentError('Give a whole number, or "none" for the limit of the plan.');
  return Number(text);
}

const planOption = (): Option => new Option('--plan <plan>', 'plan of the customer').choices(PLANS);

/** `cas accounts`: customers of a running service, through its internal interface. */
export function accountsCommand(program: Command, settings: SettingsReader): void {
  const accounts = program
    .command('accounts')
    .usage(COMMAND_NEEDED)
    .summary('manage customers')
    .description(
      'Create, list, show, update and delete customers of a running service. Needs its DATA_DIR or INTERNAL_SECRET.',
    );
  addExamples(accounts, [['cas accounts create "Acme" --plan PRO'], ['cas accounts list']]);

  const create = accounts
    .command('create')
    .argument('<name>', 'name of the customer')
    .summary('create a customer')
    .description('Create a customer and print it as JSON.')
    .addOption(new Option('--type <type>', 'kind of customer').choices(CUSTOMER_TYPES).default('COMPANY'))
    .addOption(planOption().default('DEV'))
    .action(async (name: string, options: { type: string; plan: string }) => {
      const body = { name, ...options };
      printJson((await internalClient(settings()).call(createCustomer, { body })).body.data);
    });
  addExamples(create, [['cas accounts create "Acme" --plan PRO']]);

  const list = accounts
    .command('list')
    .summary('list customers')
    .description('List all customers, newest first.')
    .action(async () => {
      const rows = await allRows<CustomerLine>(internalClient(settings()), listCustomers);
      if (rows.length === 0) print('No customers. "cas accounts create <name>" creates one.');
      else
        printTable(
          ['id', 'name', 'type', 'plan', 'created (UTC)', 'erasure'],
          rows.map((row) => [
            row.id,
            row.name,
            row.type,
            row.plan,
            minuteOf(row.createdAt),
            row.erasure?.status ?? '',
          ]),
        );
    });
  addExamples(list, [['cas accounts list']]);

  const show = accounts
    .command('show')
    .argument('<customer-id>', 'ID of the customer', customerId)
    .summary('show a customer')
    .description('Print a customer and its limits as JSON.')
    .action(async (id: string) => {
      const client = internalClient(settings());
      const answer = await ofCustomer(client, id, () => client.call(getCustomer, { params: { id } }));
      printJson(answer.body.data);
    });
  addExamples(show, [['cas accounts show 01993d5a-7c00-7000-8000-0000000000a7']]);

  updateCommand(accounts, settings);
  acceptRollbackCommand(accounts, settings);
  deleteCommand(accounts, settings);
}

function updateCommand(accounts: Command, settings: SettingsReader): void {
  const update = accounts
    .command('update')
    .argument('<customer-id>', 'ID of the customer', customerId)
    .summary('update a customer')
    .description('Update a customer, effective from its next request, and print it as JSON.')
    .option('--name <name>', 'new name')
    .addOption(planOption())
    .option('--rate <number>', 'requests per second; "none" for the limit of the plan', numberOrNone)
    .option('--burst <number>', 'requests at once, or "none"', numberOrNone)
    .option('--audit-quota <number>', 'audits per month, or "none"', numberOrNone)
    .option('--sandbox-quota <number>', 'number of sandboxes, or "none"', numberOrNone)
    .action(async (id: string, options: object) => {
      const change = Object.fromEntries(
        Object.entries(options).map(([name, value]) => [name, value === NONE ? null : value]),
      );
      if (Object.keys(change).length === 0)
        throw new WrongUsage('Give at least one option, such as --plan. (cas accounts update --help)');
      const client = internalClient(settings());
      const answer = await ofCustomer(client, id, () =>
        client.call(updateCustomer, { params: { id }, body: change }),
      );
      printJson(answer.body.data);
    });
  addExamples(update, [
    ['cas accounts update <customer-id> --plan ENTERPRISE'],
    ['cas accounts update <customer-id> --rate 200', 'above its plan'],
    ['cas accounts update <customer-id> --rate none', 'as in its plan'],
  ]);
}

function acceptRollbackCommand(accounts: Command, settings: SettingsReader): void {
  const accept = accounts
    .command('accept-rollback')
    .argument('<customer-id>', 'ID of the customer', customerId)
    .summary('sign a rolled-back ledger again')
    .description(
      'Sign a ledger again that lost entries after its last checkpoint. The ledger records the lost checkpoint. This cannot be undone.',
    )
    .requiredOption('--reason <text>', 'what happened; stored encrypted')
    .option('--by <name>', 'who accepts it', 'operator')
    .action(async (id: string, { reason, by }: { reason: string; by: string }) => {
      const client = internalClient(settings());
      const body = { reason, acceptedBy: by };
      const answer = await ofCustomer(client, id, () =>
        client.call(acceptRollback, { params: { id }, body }),
      );
      printJson(answer.body.data);
    });
  addExamples(accept, [
    [
      'cas accounts accept-rollback <customer-id> \\\n    --reason "Restored the backup of 3 November" --by "Ann"',
    ],
  ]);
}

function deleteCommand(accounts: Command, settings: SettingsReader): void {
  const remove = accounts
    .command('delete')
    .argument('<customer-id>', 'ID of the customer', customerId)
    .summary('erase a customer and its data')
    .description(
      'Erase a customer. Its keys stop working at once; its data is deleted after that. This cannot be undone.',
    )
    .option('--yes', 'confirm')
    .action(async (id: string, options: { yes?: boolean }) => {
      const client = internalClient(settings());
      const params = { id };
      const { name } = (await ofCustomer(client, id, () => client.call(getCustomer, { params }))).body;
      if (options.yes !== true) {
        throw new Error(
          `This erases customer ${JSON.stringify(name)} with its keys, sandboxes, audits and signals, and cannot be undone. Pass --yes to confirm`,
        );
      }
      printJson((await client.call(eraseCustomer, { params })).body.data);
    });
  addExamples(remove, [['cas accounts delete <customer-id> --yes']]);
}
