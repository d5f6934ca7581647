import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { Presets, SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError } from 'commander';
import { createClient, serviceUrl } from '../client.ts';
import { print, printTable } from '../output.ts';
import type { SettingsReader } from '../settings.ts';
import { ingestFile, type Rejected, type Tally } from './ingest-file.ts';
import { openProgressFile, type ProgressFile } from './progress-file.ts';
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
      'ingest the triplets of a file: one a line (ndjson) or one JSON array; a repeated run sends what is missing',
    )
    .option('--url <url>', 'address of the service (default: the one of the settings)')
    .option('--key <key>', 'API key of the customer (default: CAS_API_KEY)')
    .option('--sandbox <slug>', 'sandbox of triplets that name none')
    .option('--progress <file>', 'where to note what was accepted (default: <file>.cas-progress)')
    .option('--patience <seconds>', 'how long to wait for a busy service', seconds, PATIENCE_SECONDS)
    .action(async (file: string, options: Options) => {
      const sender = senderOf(settings, options);
      await createClient(sender.url).call('GET', '/health/live');
      const key = createHash('sha256').update(JSON.stringify(sender.headers)).digest('hex').slice(0, 16);
      const path = options.progress ?? `${file}.cas-progress`;
      const total = statSync(file).size;
      const progress = await openProgressFile(path, { url: sender.url, key });
      const complete = await run(file, total, progress, sender, options.sandbox).finally(progress.close);
      if (!complete) {
        print(
          `Each item's outcome stands in ${path}. Run the command again to send the rejected ones again.`,
        );
        process.exitCode = 1;
      }
    });
}

function senderOf(settings: SettingsReader, options: Options): Sender {
  const read = settings();
  const key = options.key ?? read.apiKey;
  if (key === null) throw new Error('no API key: set CAS_API_KEY, or CAS_API_KEY_FILE, or give --key');
  const url = (options.url ?? serviceUrl(read)).replace(/\/+$/, '');
  return { url, headers: { [read.keyHeader]: key }, patienceMs: options.patience * 1_000 };
}

/** False when items were rejected. */
async function run(
  file: string,
  fileBytes: number,
  progress: ProgressFile,
  sender: Sender,
  sandbox: string | undefined,
): Promise<boolean> {
  const rejected: Rejected[] = [];
  let tally: Tally = { accepted: 0, repeated: 0, rejected: 0 };
  const bar = progressBar(fileBytes);
  let bytes = 0;
  try {
    await ingestFile({
      segments: segmentsOf(readItems(file)),
      progress,
      sender,
      sandbox,
      onRejected: (item) => {
        if (rejected.length < SHOWN) rejected.push(item);
      },
      onProgress: (now, segment) => {
        tally = now;
        bytes += segment.bytes;
        bar.update(Math.min(bytes, fileBytes), { ...now });
      },
    });
    // Line breaks and the white space of an array were not counted.
    bar.update(fileBytes);
  } finally {
    bar.stop();
    report(tally, rejected);
  }
  return tally.rejected === 0;
}

function progressBar(fileBytes: number): SingleBar {
  const format =
    '[{bar}] {percentage}%  {accepted} accepted  {repeated} before  {rejected} rejected  {duration_formatted}';
  const bar = new SingleBar(
    { format, hideCursor: true, noTTYOutput: true, notTTYSchedule: 2_000 },
    Presets.shades_classic,
  );
  bar.start(Math.max(1, fileBytes), 0, { accepted: 0, repeated: 0, rejected: 0 });
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
