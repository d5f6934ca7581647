import { setTimeout as after } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { newId } from '#platform/process/new-id.ts';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { listCorrelations } from '#schemas/endpoints.ts';
import { CORRELATION_DIMENSIONS } from '#schemas/vocabulary.ts';
import { idArgument, urlOption, wholeNumber } from '../command/arguments.ts';
import { type Client, RequestFailed } from '../command/client.ts';
import { customerClient, NEEDS_KEY } from '../command/customer-client.ts';
import { INTERRUPTED } from '../command/exit-codes.ts';
import { addExamples } from '../command/help.ts';
import { printError, printJson } from '../command/output.ts';
import type { SettingsReader } from '../command/settings.ts';
import { followRun, type RunRequest, readRun, startRun } from './follow-run.ts';
import { printRun, runProgress } from './show-run.ts';

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

const EXIT_CODES = `Exit codes:
  0    the run is complete, whatever it found
  1    the run failed or was refused, or no service answers
  2    wrong option or argument
  130  stopped by Ctrl-C; the run continues

Only the result goes to standard output.`;

/** `cas correlate`: searches many signals of a customer for patterns, waits for the result and prints it. */
export function correlateCommand(program: Command, settings: SettingsReader): void {
  const ofRun = ['from', 'to', 'sandbox', 'windowMinutes', 'minSignals', 'dimension'];
  const command = program
    .command('correlate')
    .summary('find patterns across many signals')
    .description(
      `Find patterns across many signals: bursts, recurring violations, campaigns, models that got worse. Prints one row per event. ${NEEDS_KEY}`,
    )
    .option('--from <date>', 'signals created at or after this date or time (default: 30 days before --to)')
    .option('--to <date>', 'signals created up to this time, or the end of this date (default: now)')
    .option('--sandbox <slug>', 'signals of this sandbox (default: all)')
    .option('--window-minutes <number>', 'length of the windows for bursts (default: 60)', wholeNumber())
    .option('--min-signals <number>', 'fewest signals of a pattern (default: 3)', wholeNumber())
    .addOption(
      new Option('--dimension <name...>', 'what to compare signals by; repeatable (default: all)').choices(
        CORRELATION_DIMENSIONS,
      ),
    )
    .addOption(
      new Option('--run <id>', 'print an earlier run, or wait for its end')
        .conflicts(ofRun)
        .argParser(idArgument('"cas correlate" prints the ID of each run.')),
    )
    .option('--json', 'print the run as JSON')
    .addOption(urlOption())
    .action(async (options: CorrelateOptions) => {
      const run = await finished(customerClient(settings(), options.url), options);
      if (options.json) printJson(run);
      else if (run.status === 'COMPLETED') printRun(run);
      if (run.status === 'COMPLETED') return;
      throw new RequestFailed(`Run ${run.id} failed: ${run.failure ?? 'unknown reason'}`, null, null);
    });
  addExamples(
    command,
    [
      ['cas correlate', 'the last 30 days'],
      ['cas correlate --from 2026-11-01 --to 2026-11-30', 'November'],
      ['cas correlate --sandbox support --window-minutes 15', 'short bursts'],
      ['cas correlate --dimension violation model', 'compare only these'],
      ['cas correlate --json > patterns.json', 'for a program'],
      ['cas correlate --run <id>', 'an earlier run'],
    ],
    EXIT_CODES,
  );
}

/** The finished run; Ctrl-C ends the process and leaves the run in progress. */
async function finished(client: Client, options: CorrelateOptions): Promise<ShownCorrelationRun> {
  const progress = runProgress(process.stderr);
  let seen: ShownCorrelationRun | null = null;
  const leave = (): never => {
    progress.stop();
    printError(farewell(seen, options));
    process.exit(INTERRUPTED);
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
    const started =
      options.run === undefined
        ? await startRun(dependencies, requestOf(options), newId())
        : await readRun(dependencies, options.run);
    return await followRun(dependencies, started);
  } finally {
    process.off('SIGINT', leave);
    progress.stop();
  }
}

function requestOf(options: CorrelateOptions): RunRequest {
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
    return `cas: Stopped before the service answered. If a run started, it continues: GET ${listCorrelations.path} lists runs`;
  const address = url === undefined ? '' : ` --url ${url}`;
  return `cas: Run ${run.id} continues. To see its result:\n  cas correlate --run ${run.id}${address}`;
}
