/**
 * The warehouse: ClickHouse, reached over HTTP by one adapter (`clickhouse.ts`), whether a real server answers or
 * the embedded engine (`embedded-process.ts`). Rows are plain objects. Integers arrive as JavaScript numbers and
 * must stay within 2^53-1; DateTime64 columns arrive as ISO strings in UTC with milliseconds and are inserted
 * in the same form; a time given as a *parameter* is a `Date`, because ClickHouse refuses a trailing `Z` there.
 */

/** Formats that `streamBytes` hands out; the bytes of one result are one file of the format. */
export type ByteFormat = 'CSV' | 'JSONEachRow' | 'JSONCompactEachRow' | 'Parquet';

/** What one read may cost; more is refused as `WarehouseLimitExceeded`, never cut. Every read has limits by default. */
export interface QueryLimits {
  /** Seconds of work (default 60; for a stream 900, its reader's pauses included). */
  readonly maxExecutionSeconds?: number;
  /** Rows of the answer (default 1,000,000 for a query, none for a stream). */
  readonly maxRows?: number;
}

/** Of a result that is handed out as bytes. */
export interface ByteOptions extends QueryLimits {
  /** Stops the statement at once, also while it has not yet made a byte; reading then fails. */
  readonly stop?: AbortSignal;
}

export interface Warehouse {
  /** Runs a SELECT and returns every row. Repeated once when a kept-alive connection turns out to be dead. */
  query<Row>(sql: string, params?: Readonly<Record<string, unknown>>, limits?: QueryLimits): Promise<Row[]>;
  /**
   * Runs a SELECT and hands out its rows in chunks, with back-pressure down to the engine. Leaving the loop early
   * stops the query. A failure after the first chunk is thrown; a result never ends short without an error.
   */
  stream<Row>(
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    limits?: QueryLimits,
  ): AsyncIterable<Row[]>;
  /**
   * Runs a SELECT and hands out its result as the engine writes it in `format`, cut anywhere: for results of which
   * nobody here has to look into every row. Back-pressure, stopping and failures as for `stream`.
   */
  streamBytes(
    sql: string,
    format: ByteFormat,
    params?: Readonly<Record<string, unknown>>,
    options?: ByteOptions,
  ): AsyncIterable<Buffer>;
  /**
   * Stores the rows, whole or not at all (per partition of the table: an insert that spans partitions may be cut
   * between them by a crash, and one that spans more months than the engine takes at once is several), and resolves
   * when the server said so. Every row must own every named column;
   * `null` is meant for Nullable columns only, since ClickHouse reads it as 0 in a plain number column. A lone
   * surrogate is stored as U+FFFD, -0 as 0. After `WarehouseUnavailable` the rows may or may not be stored.
   */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void>;
  /** Runs a statement without a result (DDL, ALTER, OPTIMIZE) and waits for its end. */
  command(sql: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Resolves when the server answers a query under these credentials. */
  ping(): Promise<void>;
  /** Closes the connections; running requests fail with `WarehouseUnavailable`. */
  close(): Promise<void>;
}

/** What the module says about itself; a pino logger fits. */
export interface WarehouseLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * The warehouse cannot serve now: no connection, time-out, overload, lack of memory or of a replica. The same call
 * may succeed later, so a consumer pauses and repeats it; an insert may have been stored already.
 */
export class WarehouseUnavailable extends Error {
  /** ClickHouse's error code, or null when no answer of a server stands behind it. */
  readonly code: number | null;
  constructor(message: string, code: number | null) {
    super(message);
    this.name = 'WarehouseUnavailable';
    this.code = code;
  }
}

/**
 * The statement needed more time, memory or rows than it may: no outage, and repeating it as it is will hardly help.
 * The message says which limit it was.
 */
export class WarehouseLimitExceeded extends Error {
  /** ClickHouse's error code. */
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.name = 'WarehouseLimitExceeded';
    this.code = code;
  }
}

/** The server answered that this statement or these rows are wrong. Repeating the call cannot help. */
export class WarehouseRejected extends Error {
  /** ClickHouse's error code; 0 when the rows were refused before they were sent. */
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.name = 'WarehouseRejected';
    this.code = code;
  }
}
