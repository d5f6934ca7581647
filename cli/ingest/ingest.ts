import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import type { Settings } from '#platform/config/settings.ts';
import { outgoingFetch } from '#platform/outgoing/outgoing-fetch.ts';
import { getLive } from '#schemas/endpoints.ts';
import { urlOption, wholeNumber } from '../command/arguments.ts';
import { createClient } from '../command/client.ts';
import { customerAccess, NEEDS_KEY } from '../command/customer-client.ts';
import { FAILED } from '../command/exit-codes.ts';
import { addExamples } from '../command/help.ts';
import { print, printError, printTable } from '../command/output.ts';
import { progressLine } from '../command/progress-line.ts';
import type { SettingsReader } from '../command/settings.ts';
import { chooseProgress } from './choose-progress.ts';
import { ingestFile, type Rejected, type Tally } from './ingest-file.ts';
import { type Input, openInput, UnreadableInput } from './open-input.ts';
import type { ProgressFile } from './progress-file.ts';
import { readItems } from './read-items.ts';
import { segmentsOf } from './segments.ts';
import type { Sender } from './send-batch.ts';

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly sandbox?: string;
  readonly progress?: string;
  readonly patience: number;
}

/** Maximum number of rejected items shown; the progress file lists all. */
const SHOWN = 100;
const PATIENCE_SECONDS = 300;

/** `cas ingest`: sends the triplets of a file in batches. */
export function ingestCommand(program: Command, settings: SettingsReader): void {
  const command = program
    .command('ingest')
    .argument('<file>', 'file of triplets, or - for standard input')
    .summary('send triplets of a file for analysis')
    .description(
      `Send the triplets of a file in batches: one JSON object per line, or one JSON array, plain or gzip. A second run sends only what was not accepted yet. ${NEEDS_KEY}`,
    )
    .addOption(urlOption())
    .option('--key <key>', 'API key (default: CAS_API_KEY)')
    .option('--sandbox <slug>', 'sandbox for triplets that name none')
    .option(
      '--progress <file>',
      'where to record results (default: <file>.cas-progress, or the state folder if that is not writable; none for standard input)',
    )
    .option(
      '--patience <seconds>',
      'how long to retry while the service is busy',
      wholeNumber(),
      PATIENCE_SECONDS,
    )
    .action(async (file: string, options: Options) => {
      const read = settings();
      const sender = senderOf(read, options);
      const input = openInput(file, process.stdin);
      await createClient(sender.url, {}, read.proxies).call(getLive);
      const key = createHash('sha256').update(JSON.stringify(sender.headers)).digest('hex').slice(0, 16);
      const { progress, path, notice } = await chooseProgress({
        named: options.progress ?? null,
        file: input.fileBytes === null ? null : file,
        stateFolder: read.stateFolder,
        target: { url: sender.url, key },
      });
      if (notice !== null) printError(notice);
      const complete = await run(input, progress, sender, options.sandbox).finally(progress.close);
      if (!complete) {
        if (path !== null)
          print(`Results of all lines are in ${path}. Run the command again to resend rejected lines.`);
        process.exitCode = FAILED;
      }
    });
  addExamples(command, [
    ['cas ingest triplets.ndjson'],
    ['cas ingest triplets.ndjson.gz --sandbox support'],
    ['zcat logs/*.gz | cas ingest -'],
  ]);
}

function senderOf(read: Settings, options: Options): Sender {
  const { baseUrl, headers, proxies } = customerAccess(read, options.url, options.key);
  return { url: baseUrl, headers, send: outgoingFetch(proxies), patienceMs: options.patience * 1_000 };
}

/** False when items were rejected. */
async function run(
  input: Input,
  progress: ProgressFile,
  sender: Sender,
  sandbox: string | undefined,
): Promise<boolean> {
  const rejected: Rejected[] = [];
  let tally: Tally = { accepted: 0, repeated: 0, rejected: 0 };
  const bar = progressBar(input);
  try {
    await ingestFile({
      segments: segmentsOf(readItems(input.chunks)),
      stop: input.stop,
      progress,
      sender,
      sandbox,
      onRejected: (item) => {
        if (rejected.length < SHOWN) rejected.push(item);
      },
      onProgress: (now) => {
        tally = now;
        bar.show(now);
      },
    });
  } finally {
    bar.stop();
    input.stop();
    if (countOf(tally) > 0) report(tally, rejected);
  }
  if (countOf(tally) === 0) throw new UnreadableInput(`${input.name} has no triplets, only white space`);
  return tally.rejected === 0;
}

const countOf = ({ accepted, repeated, rejected }: Tally): number => accepted + repeated + rejected;

interface IngestProgress {
  show(tally: Tally): void;
  stop(): void;
}

const BAR_COLUMNS = 20;
const PIPED_EVERY_MS = 2_000;

/** Shown from the first response on, so that an error before it stands alone. */
function progressBar(input: Input): IngestProgress {
  const share = input.fileBytes === null ? '{megabytes} MB' : '[{bar}] {percentage}%';
  const format = `${share}  {accepted} accepted  {repeated} before  {rejected} rejected  {duration_formatted}`;
  const bar = progressLine({ format, barsize: BAR_COLUMNS }, PIPED_EVERY_MS);
  return {
    show: (tally) =>
      bar.show(Math.max(1, input.fileBytes ?? 1), input.readBytes(), {
        ...tally,
        megabytes: (input.readBytes() / 1e6).toFixed(1),
      }),
    stop: bar.stop,
  };
}

function report({ accepted, repeated, rejected }: Tally, shown: readonly Rejected[]): void {
  print(`\n${accepted} accepted, ${repeated} accepted before, ${rejected} rejected.`);
  if (rejected === 0) return;
  const inOrder = shown.toSorted((a, b) => a.line - b.line);
  printTable(
    ['line', 'code', 'reason'],
    inOrder.map(({ line, code, message }) => [line, code, message]),
  );
  if (rejected > shown.length) print(`${rejected - shown.length} more.`);
}
