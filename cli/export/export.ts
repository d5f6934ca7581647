import { type Command, Option } from 'commander';
import { EXPORT_FORMATS } from '#schemas/api/export.ts';
import { parseDate } from '#schemas/api/fields/dates.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import { countLines, csvRecordCounter, type RecordCounter } from '#services/api/signals/export/records.ts';
import { urlOption } from '../command/arguments.ts';
import { type Client, createClient, RequestFailed } from '../command/client.ts';
import { customerAccess, NEEDS_KEY } from '../command/customer-client.ts';
import { WrongUsage } from '../command/exit-codes.ts';
import { addExamples } from '../command/help.ts';
import { plural, print } from '../command/output.ts';
import { progressLine } from '../command/progress-line.ts';
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

/** `cas export`: exports a customer's signals as a file, or compares a file with the export. */
export function exportCommand(program: Command, settings: SettingsReader): void {
  const command = program
    .command('export')
    .summary('save signals to files, once or on a schedule')
    .description(
      `Save signals to a file, check a saved file against the service, or save a file for each hour or day. ${NEEDS_KEY}`,
    );
  addFilterOptions(command);
  addScheduleOptions(command);
  command.addOption(urlOption()).action(async (options: ExportOptions) => {
    const source = customerAccess(settings(), options.url);
    const query = queryOf(options);
    if (options.every !== undefined) await exportOnSchedule(source, scheduleOf(options, Date.now()));
    else if (options.check !== undefined)
      await check(createClient(source.baseUrl, source.headers, source.proxies), query, options.check);
    else await fetchWithProgress(source, options, query);
  });
  addExamples(command, [
    ['cas export -o signals.csv', 'all signals'],
    ['cas export --risk-level HIGH --from 2026-11-01', 'some signals'],
    ['cas export --every day --into exports --once', 'missing days, for cron'],
  ]);
}

function addFilterOptions(command: Command): void {
  command
    .addOption(new Option('--format <format>', 'file format').choices(EXPORT_FORMATS).default('csv'))
    .option('--bom', 'start a CSV file with a byte-order mark, for Excel')
    .option('--from <date>', 'signals created at or after this date or time')
    .option('--to <date>', 'signals created up to this time, or the end of this date')
    .option('--sandbox <slug>', 'signals of this sandbox')
    .addOption(new Option('--risk-level <level>', 'signals of this level').choices(RISK_LEVELS))
    .option('--provider <name>', 'signals of this provider')
    .option('--violation <code>', 'signals with this violation')
    .option('--as-of <time>', 'the ledger as it was at this time (default: now)')
    .option('--tree-size <entries>', 'only the first entries of the ledger')
    .option('-o, --output <file>', 'name of the file (default: chosen by the service)')
    .option('--check <file>', 'compare this file with the export; write nothing');
}

function addScheduleOptions(command: Command): void {
  command
    .addOption(new Option('--every <period>', 'save a file for each period (UTC)').choices(PERIODS))
    .option(
      '--into <folder>',
      'with --every: a folder, or s3://bucket/prefix (keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)',
    )
    .option('--since <date>', 'with --every: the first period (default: the last complete one)')
    .option('--once', 'with --every: save what is due and exit')
    .option('--endpoint <url>', 'with s3://: an S3-compatible server (default: Amazon S3)')
    .option('--region <name>', 'with s3://: region of the bucket', 'us-east-1');
}

function refuse(message: string): never {
  throw new WrongUsage(`${message}. (cas export --help)`);
}

/** Rejects options of a single-file export. */
function scheduleOf(options: ExportOptions, now: number): ScheduleOptions {
  const { every = 'day', into, since, once, format, endpoint, region } = options;
  if (into === undefined) refuse('--every needs --into: a folder, or s3://bucket/prefix');
  for (const name of ['from', 'to', 'output', 'check', 'asOf', 'treeSize'] as const)
    if (options[name] !== undefined)
      refuse(`--${OPTION_NAMES[name] ?? name} cannot be combined with --every`);
  const start = since === undefined ? lastSettled(every, now) : parseDate(since, false);
  if (start === null) refuse(`Invalid --since "${since}". Give a date like 2026-11-01, or a timestamp`);
  return {
    every,
    into,
    since: start,
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
  requested: ExportSource,
  { format, output }: ExportOptions,
  query: string,
): Promise<void> {
  const progress = startProgress(format);
  const file = await fetchFile({ ...requested, query, path: output ?? null, onBytes: progress.add }).finally(
    progress.stop,
  );
  print(`${file.path}: ${plural(file.rows, 'signal')}, ${megabytes(file.bytes)} MB, ${file.contentDigest}`);
  print('The file matches the digest from the service. To check it again later:');
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
const PIPED_EVERY_MS = 5_000;
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/**
 * Counts rows where the format allows it; their total is unknown before the end. Shown from the first bytes on, so that
 * an error before them stands alone.
 */
function startProgress(exported: string): { add(bytes: Buffer): void; stop(): void } {
  const counters: Readonly<Record<string, () => RecordCounter>> = {
    csv: csvRecordCounter,
    ndjson: () => countLines,
  };
  const count = counters[exported]?.();
  const started = performance.now();
  let [rows, size] = [0, 0];
  const format = `exporting  ${count === undefined ? '' : '{rows} rows  '}{megabytes} MB  {rate} MB/s`;
  const bar = progressLine({ format }, PIPED_EVERY_MS);
  const shown = () => ({
    rows: rows.toLocaleString('en'),
    megabytes: megabytes(size),
    rate: megabytes(size / Math.max(0.001, (performance.now() - started) / 1_000)),
  });
  return {
    add: (bytes) => {
      rows += count?.(bytes) ?? 0;
      size += bytes.length;
      bar.show(1, 0, shown());
    },
    stop: bar.stop,
  };
}

async function check(client: Client, query: string, path: string): Promise<void> {
  const { isSame, contentDigest, manifest } = await checkFile(client, query, path);
  if (isSame) {
    print(`${path} matches the export: ${plural(manifest.rowCount, 'signal')}, ${contentDigest}`);
    return;
  }
  const { rowCount, asOf, treeSize } = manifest;
  throw new RequestFailed(
    [
      `${path} does not match the export.`,
      `  file    ${contentDigest}`,
      `  export  ${manifest.contentDigest} (${plural(rowCount, 'signal')}, as of ${asOf}, tree size ${treeSize})`,
      'Give the options the file was made with, --as-of and --tree-size included. Signals erased since then are not exported',
    ].join('\n'),
    null,
    null,
  );
}
