import { Presets, SingleBar } from 'cli-progress';
import { type Command, Option } from 'commander';
import { EXPORT_FORMATS } from '#schemas/api/export.ts';
import { parseDate } from '#schemas/api/fields/dates.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import { countLines, csvRecordCounter, type RecordCounter } from '#services/api/signals/export/records.ts';
import { type Client, createClient, RequestFailed, serviceUrl } from '../command/client.ts';
import { print } from '../command/output.ts';
import type { SettingsReader } from '../command/settings.ts';
import { checkFile } from './check-file.ts';
import { type ExportSource, type FetchedFile, fetchFile } from './fetch-file.ts';
import { lastSettled, PERIODS, type PeriodLength } from './periods.ts';
import { exportOnSchedule, type ScheduleOptions } from './schedule-command.ts';

interface ExportOptions {
  readonly output?: string;
  readonly check?: string;
  readonly url?: string;
  readonly format: string;
  readonly bom?: true;
  readonly from?: string;
  readonly to?: string;
  readonly sandbox?: string;
  readonly riskLevel?: string;
  readonly provider?: string;
  readonly violation?: string;
  readonly asOf?: string;
  readonly treeSize?: string;
  readonly every?: PeriodLength;
  readonly into?: string;
  readonly since?: string;
  readonly once?: true;
  readonly endpoint?: string;
  readonly region: string;
}

/** `cas export`: signals of a customer as a file, or a file compared with what the service would export. */
export function exportCommand(program: Command, settings: SettingsReader): void {
  program
    .command('export')
    .description('export signals into a file (the key of their customer in CAS_API_KEY)')
    .addOption(new Option('--format <format>', 'kind of file').choices(EXPORT_FORMATS).default('csv'))
    .option('--bom', 'start a csv file with a byte-order mark, by which Excel recognises UTF-8')
    .option('--from <date>', 'signals made at or after this date or timestamp')
    .option('--to <date>', 'signals made up to this date, its end included, or timestamp')
    .option('--sandbox <slug>', 'signals of this sandbox')
    .addOption(new Option('--risk-level <level>', 'signals of this level').choices(RISK_LEVELS))
    .option('--provider <name>', 'signals of this provider')
    .option('--violation <code>', 'signals with this code')
    .option('--as-of <time>', 'what the ledger held at this time (default: all that is stored)')
    .option('--tree-size <entries>', 'only the first so many entries of the ledger')
    .option('-o, --output <file>', 'name of the file (default: as the service names it, in this folder)')
    .option('--check <file>', 'write nothing: compare this file with what would be exported')
    .addOption(
      new Option('--every <period>', 'a file for each period (UTC) that ends, until it is stopped').choices(
        PERIODS,
      ),
    )
    .option(
      '--into <place>',
      'with --every: a folder, or s3://bucket/prefix (keys as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)',
    )
    .option('--since <date>', 'with --every: the first period (default: the one that ended last)')
    .option('--once', 'with --every: export what is due and leave, as for a job of cron')
    .option('--endpoint <address>', 'with --into s3://: another server than Amazon’s that speaks S3')
    .option('--region <name>', 'with --into s3://: region of the bucket', 'us-east-1')
    .option('--url <address>', 'address of the service (default: by HOST and PORT)')
    .action(async (options: ExportOptions) => {
      const read = settings();
      if (read.apiKey === null) {
        throw new RequestFailed(
          'no API key: set CAS_API_KEY, or CAS_API_KEY_FILE, to a key of the customer whose signals are meant',
          null,
          null,
        );
      }
      const baseUrl = options.url?.replace(/\/$/, '') ?? serviceUrl(read);
      const headers = { [read.keyHeader]: read.apiKey };
      const source = { baseUrl, headers, proxies: read.proxies };
      const query = queryOf(options);
      if (options.every !== undefined) await exportOnSchedule(source, scheduleOf(options, Date.now()));
      else if (options.check !== undefined)
        await check(createClient(baseUrl, headers, read.proxies), query, options.check);
      else await fetchWithProgress(source, options, query);
    });
}

function refuse(message: string): never {
  throw new RequestFailed(message, null, null);
}

/** What only makes sense for one file, or only with a schedule, is refused. */
function scheduleOf(options: ExportOptions, now: number): ScheduleOptions {
  const { every = 'day', into, since, once, format, endpoint, region } = options;
  if (into === undefined) refuse('--every needs --into: a folder, or s3://bucket/prefix');
  for (const name of ['from', 'to', 'output', 'check', 'asOf', 'treeSize'] as const)
    if (options[name] !== undefined)
      refuse(`--every decides what each file holds: leave --${OPTION_NAMES[name] ?? name} out`);
  const begin = since === undefined ? lastSettled(every, now) : parseDate(since, false);
  if (begin === null) refuse(`--since ${since} is neither a date nor a timestamp`);
  return {
    every,
    into,
    since: begin,
    once: once === true,
    format,
    query: new URLSearchParams(queryOf(options)),
    endpoint: endpoint ?? null,
    region,
  };
}

const OPTION_NAMES: Readonly<Record<string, string>> = { asOf: 'as-of', treeSize: 'tree-size' };

function queryOf(options: ExportOptions): string {
  const { format, from, to, sandbox, riskLevel, provider, violation, asOf, treeSize } = options;
  const bom = options.bom === undefined ? undefined : 'true';
  const given = {
    format,
    bom,
    from,
    to,
    sandboxSlug: sandbox,
    riskLevel,
    provider,
    violation,
    asOf,
    treeSize,
  };
  const values = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(values).toString();
}

async function fetchWithProgress(
  asked: ExportSource,
  { format, output }: ExportOptions,
  query: string,
): Promise<void> {
  const progress = startProgress(format);
  const file = await fetchFile({ ...asked, query, path: output ?? null, onBytes: progress.add }).finally(
    progress.stop,
  );
  print(`${file.path}: ${plural(file.rows, 'signal')}, ${megabytes(file.bytes)} MB, ${file.contentDigest}`);
  print('Digest and number of rows are those that the service reported. To compare it again later:');
  print(`  cas export --check ${quoted(file.path)} ${optionsOf(query, file)}`);
}

/** The options that reproduce exactly this file. */
function optionsOf(query: string, { asOf, treeSize }: FetchedFile): string {
  const names: Readonly<Record<string, string>> = { sandboxSlug: 'sandbox', riskLevel: 'risk-level' };
  const given = new Map(new URLSearchParams(query));
  given.delete('asOf');
  given.delete('treeSize');
  const isFlag = given.delete('bom');
  const shown = [...given].map(([name, value]) => `--${names[name] ?? name} ${quoted(value)}`);
  if (isFlag) shown.push('--bom');
  return [...shown, `--as-of ${asOf}`, `--tree-size ${treeSize}`].join(' ');
}

const quoted = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
const plural = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/** Counts rows where the format makes them countable; their total is unknown before the end. */
function startProgress(format: string): { add(bytes: Buffer): void; stop(): void } {
  const counters: Readonly<Record<string, () => RecordCounter>> = {
    csv: csvRecordCounter,
    ndjson: () => countLines,
  };
  const count = counters[format]?.();
  const begun = performance.now();
  let [rows, size] = [0, 0];
  const bar = new SingleBar(
    {
      format: `exporting  ${count === undefined ? '' : '{rows} rows  '}{megabytes} MB  {rate} MB/s`,
      hideCursor: true,
      noTTYOutput: true,
      notTTYSchedule: 5_000,
    },
    Presets.shades_classic,
  );
  const shown = () => ({
    rows: rows.toLocaleString('en'),
    megabytes: megabytes(size),
    rate: megabytes(size / Math.max(0.001, (performance.now() - begun) / 1_000)),
  });
  bar.start(1, 0, shown());
  return {
    add: (bytes) => {
      rows += count?.(bytes) ?? 0;
      size += bytes.length;
      bar.update(0, shown());
    },
    stop: () => bar.stop(),
  };
}

async function check(client: Client, query: string, path: string): Promise<void> {
  const { isSame, contentDigest, manifest } = await checkFile(client, query, path);
  if (isSame) {
    print(`${path} is what the service exports: ${plural(manifest.rowCount, 'signal')}, ${contentDigest}`);
    return;
  }
  throw new RequestFailed(
    `${path} is not what the service exports: its digest is ${contentDigest}, that of ${plural(manifest.rowCount, 'signal')} as of ${manifest.asOf} (tree size ${manifest.treeSize}) is ${manifest.contentDigest}. Give the format, filters, --as-of and --tree-size that it was made with; signals that were erased since are missing now`,
    null,
    null,
  );
}
