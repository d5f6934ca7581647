import { setTimeout as after } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { DeadLetter, ReplayOutcome } from '#schemas/api/dead-letters.ts';
import { listDeadLetters, replayDeadLetter, replayDeadLetters } from '#schemas/endpoints.ts';
import { COMMAND_NEEDED, idArgument, wholeNumber } from './command/arguments.ts';
import { type Answer, type Client, RequestFailed } from './command/client.ts';
import { customerClient, NEEDS_KEY } from './command/customer-client.ts';
import { WrongUsage } from './command/exit-codes.ts';
import { addExamples } from './command/help.ts';
import { minuteOf, plural, print, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

type Filter = Readonly<Record<string, string>>;

const FILTERS = ['sandboxSlug', 'reason', 'from', 'to'];

/** `name=value`, repeatable; the service checks the values. */
function addCondition(text: string, filter: Filter = {}): Filter {
  const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!FILTERS.includes(name)) {
    throw new InvalidArgumentError(`Write name=value, with one of these names: ${FILTERS.join(', ')}.`);
  }
  if (Object.hasOwn(filter, name)) throw new InvalidArgumentError(`Give ${name} only once.`);
  return { ...filter, [name]: value };
}

const HELP = '(cas dead-letters replay --help)';

/** `cas dead-letters`: a customer's FAILED audits, and their replay. */
export function deadLettersCommand(program: Command, settings: SettingsReader): void {
  const commands = program
    .command('dead-letters')
    .usage(COMMAND_NEEDED)
    .summary('list and replay failed audits')
    .description(`List audits that failed, and analyze them again. ${NEEDS_KEY}`);
  addExamples(commands, [['cas dead-letters list'], ['cas dead-letters replay --all']]);
  const condition = [
    '--filter <name=value>',
    `only matching audits: ${FILTERS.join(', ')}; repeatable`,
  ] as const;

  const list = commands
    .command('list')
    .summary('list failed audits')
    .description(`List failed audits, newest first. ${NEEDS_KEY}`)
    .option(...condition, addCondition)
    .option('--limit <number>', 'number of audits, up to 100', wholeNumber(1, 100), 100)
    .action(async ({ filter = {}, limit }: { filter?: Filter; limit: number }) => {
      const query = { ...filter, limit: String(limit) };
      const { body } = await customerClient(settings()).call(listDeadLetters, { query });
      printDeadLetters(body as unknown as ListBody, filter);
    });
  addExamples(list, [
    ['cas dead-letters list'],
    ['cas dead-letters list --filter sandboxSlug=support --filter from=2026-11-01'],
  ]);

  const replay = commands
    .command('replay')
    .argument('[audit-id]', 'ID of one audit', idArgument('"cas dead-letters list" shows them.'))
    .summary('analyze failed audits again')
    .description(`Analyze failed audits again: one, those that match --filter, or --all. ${NEEDS_KEY}`)
    .option(...condition, addCondition)
    .option('--all', 'all failed audits of the customer')
    .option('--dry-run', 'only count the audits')
    .action(async (auditId: string | undefined, options: ReplayOptions) => {
      const ways = [auditId !== undefined, options.filter !== undefined, options.all === true];
      if (ways.filter(Boolean).length !== 1)
        throw new WrongUsage(`Give one of: an audit ID, --filter name=value, or --all. ${HELP}`);
      if (auditId !== undefined && options.dryRun)
        throw new WrongUsage(`--dry-run needs --filter or --all. ${HELP}`);
      const client = customerClient(settings());
      if (auditId !== undefined) printOutcome([await replayOne(client, auditId)]);
      else await replayAll(client, options.filter ?? {}, options.dryRun === true);
    });
  addExamples(replay, [
    ['cas dead-letters replay <audit-id>', 'one audit'],
    ['cas dead-letters replay --filter reason=LOST --dry-run', 'count first'],
    ['cas dead-letters replay --all', 'every failed audit'],
  ]);
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

function printDeadLetters({ data, pagination }: ListBody, filter: Filter): void {
  if (data.length === 0) {
    print(Object.keys(filter).length === 0 ? 'No failed audits.' : 'No failed audits match the filter.');
    return;
  }
  printTable(
    ['audit id', 'reason', 'attempts', 'failed (UTC)', 'sandbox'],
    data.map(({ auditId, reason, attempts, at, sandboxSlug }) => [
      auditId,
      reason,
      attempts,
      minuteOf(at),
      sandboxSlug,
    ]),
  );
  const more = pagination.total - data.length;
  if (more > 0) print(`${more.toLocaleString('en')} more. Narrow the list with --filter.`);
}

const outcomeOf = ({ body }: Answer): ReplayOutcome => body as unknown as ReplayOutcome;

async function replayOne(client: Client, id: string): Promise<ReplayOutcome> {
  try {
    return outcomeOf(await client.call(replayDeadLetter, { params: { id } }));
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.code !== 'NOT_FOUND') throw error;
    const message = `No failed audit ${id}. "cas dead-letters list" shows failed audits`;
    throw new RequestFailed(message, error.statusCode, error.code);
  }
}

/** One call replays a limited number; this repeats it until everything that matched at the start is covered. */
async function replayAll(client: Client, filter: Filter, dryRun: boolean): Promise<void> {
  const outcomes: ReplayOutcome[] = [];
  let cursor: string | null = null;
  do {
    const body: object = { filter, dryRun, ...(cursor === null ? {} : { cursor }) };
    const outcome = outcomeOf(await patiently(() => client.call(replayDeadLetters, { body })));
    outcomes.push(outcome);
    cursor = outcome.nextCursor;
  } while (cursor !== null);
  if (dryRun)
    print(
      `${plural(outcomes[0]?.matched ?? 0, 'failed audit')} to replay. Nothing was replayed (--dry-run).`,
    );
  else printOutcome(outcomes);
}

/** A replay uses as many rate-limit tokens as a batch: when they run out, this waits as long as the service says. */
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
  const total = replayed + skipped.length;
  print(
    total === 0
      ? 'No failed audits to replay.'
      : `Replaying ${replayed} of ${plural(total, 'failed audit')}.`,
  );
  if (skipped.length === 0) return;
  print('\nNot replayed:');
  printTable(
    ['audit id', 'reason'],
    skipped.map(({ auditId, reason }) => [auditId, reason]),
  );
}
