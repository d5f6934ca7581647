import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { type QueryLimits, type Warehouse, type WarehouseLogger, WarehouseRejected } from '../port.ts';
import {
  CLUSTER_SETTINGS,
  CONNECTION_SETTINGS,
  INSERT_SETTINGS,
  MAX_ANSWER_BYTES,
  READ_LIMITS,
  STREAM_LIMITS,
} from './connection-settings.ts';
import { isLostConnection, toWarehouseError } from './failures.ts';
import { insertChunks } from './insert-chunks.ts';
import { untilQuorum } from './quorum.ts';
import { rowsOfBytes } from './rows-of-bytes.ts';
import { socketAgent } from './socket-agent.ts';
import { streamBytes } from './stream-bytes.ts';

export interface WarehouseOptions {
  /** http(s) address of ClickHouse's HTTP interface. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly logger: WarehouseLogger;
  /** Folder of the embedded engine, which is reached through its socket there; `url` is then only a name. */
  readonly socketFolder?: string;
  /** PEM certificates trusted instead of the public authorities, for https. */
  readonly ca?: string;
  /** Name of the replica cluster that the address belongs to; undefined for a single server. */
  readonly cluster?: string;
  /** A read or insert without a byte of progress for this long fails as unavailable (default 30,000 ms). */
  readonly requestTimeoutMs?: number;
  /** Maximum number of connections, one per running request or open stream (default 32). */
  readonly maxConnections?: number;
}

const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_CONNECTIONS = 32;
/** A mutation rewrites parts, and a statement on a cluster waits for every replica; neither shows progress. */
const COMMAND_SECONDS = 600;
const MAX_COMMANDS = 4;
/**
 * Idle connections are closed here before the server closes them; otherwise the next request would use a dead one.
 * Servers keep them for at least 3 s, depending on release and configuration.
 */
const IDLE_CONNECTION_MS = 2_500;

type Client = ReturnType<typeof createClient>;
type Params = Readonly<Record<string, unknown>>;

function openClient(options: WarehouseOptions, limits: { timeoutMs: number; connections: number }): Client {
  return createClient({
    url: options.url,
    username: options.username,
    password: options.password,
    database: options.database,
    ...(options.ca === undefined ? {} : { tls: { ca_cert: Buffer.from(options.ca) } }),
    request_timeout: limits.timeoutMs,
    max_open_connections: limits.connections,
    ...(options.socketFolder === undefined
      ? {}
      : { http_agent: socketAgent(options.socketFolder, limits.connections) }),
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_CONNECTION_MS, eagerly_destroy_stale_sockets: true },
    clickhouse_settings:
      options.cluster === undefined ? CONNECTION_SETTINGS : { ...CONNECTION_SETTINGS, ...CLUSTER_SETTINGS },
    use_multipart_params_auto: true,
    json: { stringify },
    // The client's own log lines contain statements and parameters; callers receive failures as errors anyway.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** The clients of one warehouse, and the error handling around their requests. */
class Requests {
  readonly client: Client;
  /** For statements that show no progress. */
  readonly commands: Client;
  readonly #options: WarehouseOptions;

  constructor(options: WarehouseOptions) {
    this.#options = options;
    this.client = openClient(options, {
      timeoutMs: options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
      connections: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    });
    this.commands = openClient(options, {
      timeoutMs: COMMAND_SECONDS * 1_000,
      connections: MAX_COMMANDS,
    });
  }

  /** Rejects with an error of the port. */
  attempt<T>(operation: string, run: () => Promise<T>): Promise<T> {
    const running = this.#options.cluster === undefined ? run() : untilQuorum(run);
    return running.catch((error: unknown) => {
      throw toWarehouseError(operation, error);
    });
  }

  /** A restarted server resets kept-alive sockets; a read is safe to retry over a new one. */
  read<T>(operation: string, run: () => Promise<T>): Promise<T> {
    return this.attempt(operation, () =>
      run().catch((error: unknown) => {
        if (!isLostConnection(error)) throw error;
        this.#options.logger.info({ operation }, 'warehouse connection lost; retrying read');
        return run();
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.client.close(), this.commands.close()]);
  }
}

const paramsOf = (params: Params | undefined) =>
  params === undefined ? {} : { query_params: { ...params } };

/** Opens the warehouse over ClickHouse's HTTP interface. Does not connect yet: `ping` does. */
export function openWarehouse(options: WarehouseOptions): Warehouse {
  const requests = new Requests(options);
  const { client, commands } = requests;
  const bytesOf: Warehouse['streamBytes'] = (sql, format, params, { stop, ...limits } = {}) => {
    const request = {
      query: `${sql} FORMAT ${format}`,
      clickhouse_settings: limitSettings({ ...STREAM_LIMITS, ...limits }),
      ...paramsOf(params),
      ...(stop === undefined ? {} : { abort_signal: stop }),
    };
    return streamBytes(() => requests.read('stream', () => client.exec(request)), stop);
  };
  return {
    query: <Row>(sql: string, params?: Params, limits?: QueryLimits) =>
      requests.read('query', async () => {
        const settings = limitSettings({ ...READ_LIMITS, ...limits });
        const result = await client.query({
          query: sql,
          format: 'JSONEachRow',
          clickhouse_settings: { ...settings, max_result_bytes: String(MAX_ANSWER_BYTES) },
          ...paramsOf(params),
        });
        return result.json<Row>();
      }),
    stream: <Row>(sql: string, params?: Params, limits?: QueryLimits) =>
      rowsOfBytes<Row>(bytesOf(sql, 'JSONEachRow', params, limits)),
    streamTuples: <Row extends readonly unknown[]>(sql: string, params?: Params, limits?: QueryLimits) =>
      rowsOfBytes<Row>(bytesOf(sql, 'JSONCompactEachRow', params, limits)),
    streamBytes: bytesOf,
    insert: async (table, columns, rows) => {
      for (const chunk of insertChunks(table, rows)) {
        await requests.attempt('insert', () => insertRows(client, table, columns, chunk));
      }
    },
    command: (sql, params) =>
      requests.attempt('command', async () => {
        const settings = { max_execution_time: COMMAND_SECONDS };
        await commands.command({ query: sql, clickhouse_settings: settings, ...paramsOf(params) });
      }),
    ping: () =>
      requests.read('ping', async () => {
        const outcome = await client.ping({ select: true });
        if (!outcome.success) throw outcome.error;
      }),
    close: () => requests.close(),
  };
}

function limitSettings({ maxExecutionSeconds, maxRows }: QueryLimits): ClickHouseSettings {
  return {
    ...(maxExecutionSeconds === undefined ? {} : { max_execution_time: maxExecutionSeconds }),
    ...(maxRows === undefined ? {} : { max_result_rows: String(maxRows) }),
  };
}

async function insertRows(
  client: Client,
  table: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const [first, ...rest] = columns;
  if (first === undefined) throw new WarehouseRejected(`insert into ${table} has no columns`, 0);
  if (rows.length === 0) return;
  const values = rows.map((row, index) =>
    columns.map((column) => {
      const value = row[column];
      if (value === undefined) {
        throw new WarehouseRejected(`insert into ${table}: row ${index} lacks column ${column}`, 0);
      }
      return value;
    }),
  );
  await client.insert({
    table,
    columns: [first, ...rest].map(quoteIdentifier) as [string, ...string[]],
    values: [new RowsAtOnce(values)],
    format: 'JSONCompactEachRow',
    clickhouse_settings: INSERT_SETTINGS,
  });
}

function quoteIdentifier(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new WarehouseRejected('a column name is not an identifier', 0);
  return `\`${name}\``;
}

/** Serializes rows in batches: row by row takes a third longer and leaves one string per row to collect. */
class RowsAtOnce {
  readonly rows: readonly (readonly unknown[])[];
  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows;
  }
}

/** The format accepts rows separated by commas. */
const stringify = (value: unknown): string =>
  value instanceof RowsAtOnce ? stringifyWellFormed(value.rows).slice(1, -1) : stringifyWellFormed(value);

/** ClickHouse refuses a lone surrogate in JSON, so one bad character would block an insert forever. */
function stringifyWellFormed(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? Buffer.from(inner, 'utf8').toString('utf8') : inner,
  );
}
