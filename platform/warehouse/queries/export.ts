import { EXPORT_COLUMNS } from '#schemas/api/export.ts';
import { SIGNALS } from '#schemas/tables/tables.ts';
import type { ByteFormat, Warehouse } from '../port.ts';
import { OWNED_BY } from './owned-by.ts';
import { REQUEST_SECONDS } from './select-list.ts';
import { type SignalFilter, signalConditions } from './signals.ts';

/** The customer's signals that an export contains. */
export interface ExportSelection {
  readonly filter: SignalFilter;
  /** Only the first `treeSize` entries of the ledger. */
  readonly treeSize: number;
}

/** Signals after one time (Unix ms, exclusive) up to another (inclusive); null: unbounded. */
export interface Window {
  readonly after: number | null;
  readonly upTo: number | null;
}

/** Size of a customer's stored ledger, now and at a given time. Times in Unix ms. */
export interface LedgerAt {
  /** Entries stored. */
  readonly size: number;
  /** Number of entries before the first one newer than the time; null if none is newer. */
  readonly sizeThen: number | null;
  /** The latest time of any entry; 0 without entries. */
  readonly newest: number;
}

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;
/** For one scan of a few narrow columns over a whole history. */
const SCAN_LIMITS = { maxExecutionSeconds: 60 } as const;

const LEDGER_SEEN = `
  SELECT count() AS entries, max(\`index\`) AS head, max(at) AS newest,
    countIf(at > {at:DateTime64(3, 'UTC')}) AS younger, minIf(\`index\`, at > {at:DateTime64(3, 'UTC')}) AS first
  FROM ledger WHERE customerId = {customerId:String}`;

const ACCEPTANCES_SEEN = `
  SELECT count() AS entries, max(acceptedAt) AS newest,
    countIf(acceptedAt > {at:DateTime64(3, 'UTC')}) AS younger,
    minIf(\`index\`, acceptedAt > {at:DateTime64(3, 'UTC')}) AS first
  FROM signals WHERE ${OWNED_BY}`;

interface Seen {
  readonly entries: number;
  readonly newest: string;
  readonly younger: number;
  readonly first: number;
}

/**
 * An entry is newer than a time if its own time or its acceptance is: a signal may be reported with a time far in the
 * past. Erased signals keep both. The ledger is read first, because the sink stores a signal before its entry.
 */
export async function ledgerAt(warehouse: Warehouse, customerId: string, at: number): Promise<LedgerAt> {
  const params = { customerId, at: new Date(at) };
  const [ledger] = await warehouse.query<Seen & { head: number }>(LEDGER_SEEN, params, LIMITS);
  if (ledger === undefined || ledger.entries === 0) return { size: 0, sizeThen: null, newest: 0 };
  const [signals] = await warehouse.query<Seen>(ACCEPTANCES_SEEN, params, LIMITS);
  const seen = signals === undefined ? [ledger] : [ledger, signals];
  const younger = seen.filter((found) => found.younger > 0).map(({ first }) => first);
  const newest = seen.filter(({ entries }) => entries > 0).map((found) => Date.parse(found.newest));
  return {
    size: ledger.head + 1,
    sizeThen: younger.length === 0 ? null : Math.min(...younger),
    newest: Math.max(...newest),
  };
}

/** Splits the selection into at least one window of about `rows` signals, newest first; also returns the total. */
export async function exportWindows(
  warehouse: Warehouse,
  selection: ExportSelection,
  rows: number,
): Promise<{ total: number; windows: Window[] }> {
  const { sql, params } = conditions(selection);
  const [found] = await warehouse.query<{ total: number; ends: string[] }>(
    `SELECT count() AS total, groupArrayIf(at, place % {rows:UInt32} = 0) AS ends
     FROM (SELECT createdAt AS at, row_number() OVER (ORDER BY createdAt DESC) AS place FROM signals FINAL WHERE ${sql})`,
    { ...params, rows },
    SCAN_LIMITS,
  );
  const { total = 0, ends = [] } = found ?? {};
  // Signals with the same time are never split, so a window may be empty if many share it.
  const cuts = [...new Set(ends.map((end) => Date.parse(end)))].sort((a, b) => b - a);
  const bounds = [null, ...cuts, null];
  const windows = bounds.slice(1).map((after, index) => ({ after, upTo: bounds[index] ?? null }));
  return { total, windows };
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/**
 * What a spreadsheet takes for the start of a formula, including full-width characters, after characters that readers
 * skip.
 */
const FORMULA = String.raw`["\x00\x0b\x0c\x{a0} ]*[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]`;
/**
 * Where a cell starts, including for readers that separate by semicolons or tabs, or treat every line break as the end
 * of a record.
 */
const CELL_START = String.raw`^|[;\t\r\n]`;
const FORMULAS = quoted(`(${CELL_START})(${FORMULA})`);
const AS_TEXT = quoted(String.raw`\1'\2`);
/** Readers drop these characters and interpret what follows. */
const DROPPED_STARTS = "('\\t', '\\r', '\\n', '\\0')";

/** Columns of the detail, with what they show once it is erased. */
const ERASED: Readonly<Record<string, string>> = { reasoning: 'NULL', confidences: '[]', detections: "'[]'" };

const column = (name: string): string =>
  name in ERASED ? `if(erased = 'DETAIL', ${ERASED[name]}, ${name})` : `\`${name}\``;

/** A cell of a table: lists are joined, and no text can run as a formula in a spreadsheet. */
function cell(name: (typeof EXPORT_COLUMNS)[number]): string {
  const type = SIGNALS.columns[name];
  const value = type.startsWith('Array(') ? `arrayStringConcat(${column(name)}, ';')` : column(name);
  if (!type.includes('String')) return value;
  const text = `replaceRegexpAll(${value}, ${FORMULAS}, ${AS_TEXT})`;
  return `if(substring(${text}, 1, 1) IN ${DROPPED_STARTS}, concat('\\'', ${text}), ${text})`;
}

const FIELDS = EXPORT_COLUMNS.map((name) => `${column(name)} AS \`${name}\``).join(', ');
const CELLS = EXPORT_COLUMNS.map(cell).join(', ');

/**
 * Small blocks, because an embedded engine returns one at a time. Slashes are written as in the service's own JSON,
 * missing values as empty cells. A Parquet file is one row group written by one thread, so that the same rows give the
 * same bytes.
 */
const SETTINGS = `SETTINGS max_block_size = 8192, output_format_json_escape_forward_slashes = 0,
  format_csv_null_representation = '', output_format_parquet_parallel_encoding = 0,
  output_format_parquet_row_group_size = 10000000, output_format_parquet_row_group_size_bytes = 10000000000,
  output_format_parquet_string_as_string = 1, output_format_parquet_write_page_index = 0,
  output_format_parquet_write_bloom_filter = 0`;

/** The signals of a window as the engine writes them, newest first, equal times by audit id. */
export function exportBytes(
  warehouse: Warehouse,
  selection: ExportSelection,
  { after, upTo }: Window,
  format: ByteFormat,
  stop: AbortSignal,
): AsyncIterable<Buffer> {
  const { sql, params } = conditions(selection);
  const bounds = [
    ...(after === null ? [] : ["createdAt > {after:DateTime64(3, 'UTC')}"]),
    ...(upTo === null ? [] : ["createdAt <= {upTo:DateTime64(3, 'UTC')}"]),
  ];
  return warehouse.streamBytes(
    `SELECT ${format === 'CSV' ? CELLS : FIELDS} FROM signals FINAL
     WHERE ${[sql, ...bounds].join(' AND ')}
     ORDER BY createdAt DESC, auditId DESC ${SETTINGS}`,
    format,
    {
      ...params,
      ...(after === null ? {} : { after: new Date(after) }),
      ...(upTo === null ? {} : { upTo: new Date(upTo) }),
    },
    { stop },
  );
}

function conditions({ filter, treeSize }: ExportSelection) {
  const { sql, params } = signalConditions(filter);
  return { sql: `${sql} AND \`index\` < {treeSize:UInt64}`, params: { ...params, treeSize } };
}
