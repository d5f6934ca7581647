import { createHash } from 'node:crypto';
import { Presets, SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError } from 'commander';
import type { Settings } from '#platform/config/settings.ts';
import { outgoingFetch } from '#platform/outgoing/outgoing-fetch.ts';
import { getLive } from '#schemas/endpoints.ts';
import { createClient, serviceUrl } from '../command/client.ts';
import { print, printError, printTable } from '../command/output.ts';
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

/** Maximum of rejected items shown; the progress file lists all. */
const SHOWN = 100;
const PATIENCE_SECONDS = 300;

const seconds = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('give whole seconds');
  return Number(text);
};

/** `cas ingest`: the triplets of a file, in batches. */
export function ingestCommand(program: Command, settings: SettingsReader): void {
  program
    .command('ingest <file>')
    .description(
      'ingest the triplets of a file, or of standard input (-): one a line (ndjson) or one JSON array, plain or compressed with gzip; a repeated run sends what is missing',
    )
    .option('--url <url>', 'address of the service (default: the one of the settings)')
    .option('--key <key>', 'API key of the customer (default: CAS_API_KEY)')
    .option('--sandbox <slug>', 'sandbox of triplets that name none')
    .option(
      '--progress <file>',
      'where to note what was accepted (default: <file>.cas-progress; in the state folder where that cannot be written; nowhere for a stream)',
    )
    .option('--patience <seconds>', 'how long to wait for a busy service', seconds, PATIENCE_SECONDS)
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
          print(
            `The outcome of each item is in ${path}. Run the command again to send the rejected ones again.`,
          );
        process.exitCode = 1;
      }
    });
}

function senderOf(read: Settings, options: Options): Sender {
  const key = options.key ?? read.apiKey;
  if (key === null) throw new Error('no API key: set CAS_API_KEY, or CAS_API_KEY_FILE, or give --key');
  const url = (options.url ?? serviceUrl(read)).replace(/\/+$/, '');
  const patienceMs = options.patience * 1_000;
  return { url, headers: { [read.keyHeader]: key }, send: outgoingFetch(read.proxies), patienceMs };
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
        bar.update(input.readBytes(), { ...now, megabytes: megabytesOf(input) });
      },
    });
  } finally {
    bar.stop();
    input.stop();
    report(tally, rejected);
  }
  if (tally.accepted + tally.repeated + tally.rejected === 0)
    throw new UnreadableInput(`${input.name} holds no triplet, only white space`);
  return tally.rejected === 0;
}

const megabytesOf = (input: Input): string => (input.readBytes() / 1e6).toFixed(1);

function progressBar({ fileBytes }: Input): SingleBar {
  const share = fileBytes === null ? '{megabytes} MB' : '[{bar}] {percentage}%';
  const format = `${share}  {accepted} accepted  {repeated} before  {rejected} rejected  {duration_formatted}`;
  const bar = new SingleBar(
    { format, hideCursor: true, noTTYOutput: true, notTTYSchedule: 2_000 },
    Presets.shades_classic,
  );
  bar.start(Math.max(1, fileBytes ?? 1), 0, { accepted: 0, repeated: 0, rejected: 0, megabytes: '0.0' });
  return bar;
}

function report({ accepted, repeated, rejected }: Tally, shown: readonly Rejected[]): void {
  print(`\n${accepted} accepted, ${repeated} accepted before, ${rejected} rejected.`);
  if (rejected === 0) return;
  const inOrder = shown.toSorted((a, b) => a.line - b.line);
  printTable(
    ['line', 'code', 'reason'],
    inOrder.map(({ line, code, message }) => [line, code, message]),
  );
  if (rejected > shown.length) print(`${rejected - shown.length} more`);
}
