import { setTimeout as after } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { newId } from '#platform/process/new-id.ts';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { listCorrelations } from '#schemas/endpoints.ts';
import { CORRELATION_DIMENSIONS } from '#schemas/vocabulary.ts';
import { type Client, createClient, RequestFailed, serviceUrl } from '../command/client.ts';
import { printError, printJson } from '../command/output.ts';
import type { SettingsReader } from '../command/settings.ts';
import { type AskedRun, beginRun, followRun, lookAtRun } from './follow-run.ts';
import { printRun, runProgress } from './show-run.ts';

/** Exit codes besides 0, of a run that is COMPLETED, and 1: FAILED, refused, or nobody answered. */
const USED_WRONGLY = 2;
/** As of a shell's command that Ctrl-C ended. */
const LEFT = 130;

interface CorrelateOptions {
  readonly from?: string;
  readonly to?: string;
  readonly sandbox?: string;
  readonly windowMinutes?: number;
  readonly minSignals?: number;
  readonly dimension?: readonly string[];
  readonly run?: string;
  readonly json?: true;
  readonly url?: string;
}

const EXAMPLES = `
Examples:
  cas correlate                                          the last 30 days
  cas correlate --from 2026-11-01 --to 2026-11-30        November, both days included
  cas correlate --sandbox support --window-minutes 15    short bursts in one sandbox
  cas correlate --dimension violation --dimension model  signals told apart by these alone
  cas correlate --json > patterns.json                   for a program
  cas correlate --run <id>                               a run that is kept, or still under way

Exit codes, for jobs: 0 the run is complete, whatever it found; 1 it failed, was refused, or no service answered;
2 the command was used wrongly; 130 Ctrl-C was pressed, and the run goes on. Standard output has the result alone;
progress is shown on terminals only.`;

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('give a whole number.');
  return Number(text);
};

/** `cas correlate`: looks for patterns over many signals of a customer, waits for them, and prints them. */
export function correlateCommand(program: Command, settings: SettingsReader): void {
  const ofRun = ['from', 'to', 'sandbox', 'windowMinutes', 'minSignals', 'dimension'];
  program
    .command('correlate')
    .description(
      'look for patterns that no single signal shows (the key of their customer in CAS_API_KEY): bursts, campaigns, models that are worse',
    )
    .option('--from <date>', 'signals made at or after this date or timestamp (default: 30 days before --to)')
    .option('--to <date>', 'signals made up to this date, its end included, or timestamp (default: now)')
    .option('--sandbox <slug>', 'signals of this sandbox (default: all)')
    .option('--window-minutes <number>', 'length of the windows for bursts (default: 60)', wholeNumber)
    .option('--min-signals <number>', 'a pattern has so many signals at least (default: 3)', wholeNumber)
    .addOption(
      new Option(
        '--dimension <name...>',
        'what signals are told apart by; repeatable (default: all)',
      ).choices(CORRELATION_DIMENSIONS),
    )
    .addOption(
      new Option('--run <id>', 'begin none: wait for this run, and print it as it is').conflicts(ofRun),
    )
    .option('--json', 'print the run as JSON')
    .option('--url <address>', 'address of the service (default: by HOST and PORT)')
    .addHelpText('after', EXAMPLES)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USED_WRONGLY))
    .action(async (options: CorrelateOptions) => {
      const run = await ended(clientOf(settings, options), options);
      if (options.json) printJson(run);
      else if (run.status === 'COMPLETED') printRun(run);
      if (run.status === 'COMPLETED') return;
      throw new RequestFailed(`run ${run.id} failed: ${run.failure ?? 'nobody knows why'}`, null, null);
    });
}

function clientOf(settings: SettingsReader, { url }: CorrelateOptions): Client {
  const read = settings();
  if (read.apiKey === null) {
    throw new RequestFailed(
      'no API key: set CAS_API_KEY, or CAS_API_KEY_FILE, to a key of the customer whose signals are meant',
      null,
      null,
    );
  }
  return createClient(
    url?.replace(/\/$/, '') ?? serviceUrl(read),
    { [read.keyHeader]: read.apiKey },
    read.proxies,
  );
}

/** The run at its end; Ctrl-C leaves it going, and ends the process. */
async function ended(client: Client, options: CorrelateOptions): Promise<ShownCorrelationRun> {
  const progress = runProgress(process.stderr);
  let seen: ShownCorrelationRun | null = null;
  const leave = (): never => {
    progress.stop();
    printError(farewell(seen, options));
    process.exit(LEFT);
  };
  process.once('SIGINT', leave);
  try {
    const dependencies = {
      client,
      wait: (ms: number) => after(ms),
      now: () => performance.now(),
      onRun: (run: ShownCorrelationRun) => {
        seen = run;
        progress.show(run);
      },
    };
    const begun =
      options.run === undefined
        ? await beginRun(dependencies, askedOf(options), newId())
        : await lookAtRun(dependencies, options.run);
    return await followRun(dependencies, begun);
  } finally {
    process.off('SIGINT', leave);
    progress.stop();
  }
}

function askedOf(options: CorrelateOptions): AskedRun {
  const { from, to, sandbox, windowMinutes, minSignals, dimension } = options;
  const given = {
    startDate: from,
    endDate: to,
    sandboxSlug: sandbox,
    windowMinutes,
    minSignals,
    dimensions: dimension === undefined ? undefined : [...new Set(dimension)],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function farewell(run: ShownCorrelationRun | null, { url }: CorrelateOptions): string {
  if (run === null)
    return `cas: left before the service answered; a run that began goes on, and GET ${listCorrelations.path} lists it`;
  const address = url === undefined ? '' : ` --url ${url}`;
  return `cas: run ${run.id} goes on. To see what it finds:\n  cas correlate --run ${run.id}${address}`;
}
