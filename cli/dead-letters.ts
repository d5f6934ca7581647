import { setTimeout as after } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { DeadLetter, ReplayOutcome } from '#schemas/api/dead-letters.ts';
import { listDeadLetters, replayDeadLetter, replayDeadLetters } from '#schemas/endpoints.ts';
import { type Answer, type Client, createClient, RequestFailed, serviceUrl } from './command/client.ts';
import { print, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

type Filter = Readonly<Record<string, string>>;

const FILTERS = ['sandboxSlug', 'reason', 'from', 'to'];

/** `name=value`, repeatable; the service checks the values. */
function addCondition(text: string, filter: Filter = {}): Filter {
  const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!FILTERS.includes(name)) {
    throw new InvalidArgumentError(`write name=value with one of ${FILTERS.join(', ')}`);
  }
  if (Object.hasOwn(filter, name)) throw new InvalidArgumentError(`give ${name} once only`);
  return { ...filter, [name]: value };
}

/** Client of the customer's own interface, which needs the customer's key, not the internal secret. */
function customerClient(settings: SettingsReader): Client {
  const read = settings();
  if (read.apiKey === null) {
    throw new RequestFailed(
      'no API key: set CAS_API_KEY, or CAS_API_KEY_FILE, to a key of the customer whose dead letters are meant',
      null,
      null,
    );
  }
  return createClient(serviceUrl(read), { [read.keyHeader]: read.apiKey }, read.proxies);
}

/** `cas dead-letters`: audits of a customer that ended FAILED, and their replay. */
export function deadLettersCommand(program: Command, settings: SettingsReader): void {
  const commands = program
    .command('dead-letters')
    .description('list and replay audits that failed (the key of their customer in CAS_API_KEY)');
  const condition = ['--filter <name=value>', `condition on ${FILTERS.join(', ')}; repeatable`] as const;

  commands
    .command('list')
    .description('list dead letters, newest first')
    .option(...condition, addCondition)
    .option('--limit <number>', 'how many, up to 100', '100')
    .action(async ({ filter = {}, limit }: { filter?: Filter; limit: string }) => {
      const query = { ...filter, limit };
      const { body } = await customerClient(settings).call(listDeadLetters, { query });
      printDeadLetters(body as unknown as ListBody);
    });

  commands
    .command('replay [audit-id]')
    .description('analyse dead-lettered audits again: one, those that match --filter, or --all')
    .option(...condition, addCondition)
    .option('--all', 'all dead letters of the customer')
    .option('--dry-run', 'only count what matches')
    .action(async (auditId: string | undefined, options: ReplayOptions) => {
      const ways = [auditId !== undefined, options.filter !== undefined, options.all === true];
      if (ways.filter(Boolean).length !== 1)
        throw new Error('say what to replay: an audit id, --filter name=value, or --all');
      if (auditId !== undefined && options.dryRun)
        throw new Error('--dry-run goes with --filter or --all; an audit id matches one audit');
      const client = customerClient(settings);
      if (auditId !== undefined) {
        printOutcome([outcomeOf(await client.call(replayDeadLetter, { params: { id: auditId } }))]);
      } else await replayAll(client, options.filter ?? {}, options.dryRun === true);
    });
}

interface ReplayOptions {
  readonly filter?: Filter;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

interface ListBody {
  readonly data: readonly DeadLetter[];
  readonly pagination: { readonly total: number };
}

function printDeadLetters({ data, pagination }: ListBody): void {
  printTable(
    ['audit id', 'reason', 'attempts', 'failed', 'sandbox'],
    data.map(({ auditId, reason, attempts, at, sandboxSlug }) => [
      auditId,
      reason,
      attempts,
      at,
      sandboxSlug,
    ]),
  );
  const more = pagination.total - data.length;
  if (more > 0) print(`${more} more; narrow the list down with --filter`);
}

const outcomeOf = ({ body }: Answer): ReplayOutcome => body as unknown as ReplayOutcome;

/** One call replays a bounded number; this repeats it until everything that matched at the beginning is covered. */
async function replayAll(client: Client, filter: Filter, dryRun: boolean): Promise<void> {
  const outcomes: ReplayOutcome[] = [];
  let cursor: string | null = null;
  do {
    const body: object = { filter, dryRun, ...(cursor === null ? {} : { cursor }) };
    const outcome = outcomeOf(await patiently(() => client.call(replayDeadLetters, { body })));
    outcomes.push(outcome);
    cursor = outcome.nextCursor;
  } while (cursor !== null);
  if (dryRun) print(`${outcomes[0]?.matched ?? 0} dead letters match; nothing was replayed`);
  else printOutcome(outcomes);
}

/** A replay uses as many rate-limit tokens as a batch: when these run out, it waits as long as the service says. */
async function patiently(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.statusCode !== 429) throw error;
      await after(1_000 * (error.retryAfterSeconds ?? 1));
    }
  }
}

function printOutcome(outcomes: readonly ReplayOutcome[]): void {
  const replayed = outcomes.reduce((sum, outcome) => sum + outcome.replayed, 0);
  const skipped = outcomes.flatMap((outcome) => outcome.skipped);
  print(`${replayed} of ${replayed + skipped.length} dead letters are queued for analysis again`);
  if (skipped.length === 0) return;
  print('\nNot replayed:');
  printTable(
    ['audit id', 'why'],
    skipped.map(({ auditId, reason }) => [auditId, reason]),
  );
}
