import { DamagedData, ServiceError } from '#platform/flow/service-error.ts';

/**
 * The warehouse: ClickHouse, reached over HTTP by one adapter (`clickhouse.ts`) for a real server and the embedded
 * engine (`embedded/process.ts`). Rows are plain objects. Integers arrive as JavaScript numbers and must stay within
 * 2^53-1. DateTime64 columns arrive as ISO strings in UTC with milliseconds and are inserted in the same form; a time
 * given as a *parameter* is a `Date`, because ClickHouse refuses a trailing `Z` there.
 */

/** Formats of `streamBytes`; the bytes of one result form one file of the format. */
export type ByteFormat = 'CSV' | 'JSONEachRow' | 'JSONCompactEachRow' | 'Parquet';

/**
 * Limits of one read, with defaults. A read that exceeds them fails with `WarehouseLimitExceeded` and is never
 * truncated.
 */
export interface QueryLimits {
  /** Execution time in seconds (default 60; 900 for a stream, including its reader's pauses). */
  readonly maxExecutionSeconds?: number;
  /** Rows of the result (default 1,000,000 for a query, none for a stream). */
  readonly maxRows?: number;
}

/** Options of a result that is returned as bytes. */
interface ByteOptions extends QueryLimits {
  /** Stops the statement immediately, even before it has produced a byte; reading then fails. */
  readonly stop?: AbortSignal;
}

export interface Warehouse {
  /** Runs a SELECT and returns every row. Retried once if a kept-alive connection turns out to be dead. */
  query<Row>(sql: string, params?: Readonly<Record<string, unknown>>, limits?: QueryLimits): Promise<Row[]>;
  /**
   * Runs a SELECT and yields its rows in chunks, with back-pressure down to the engine. Leaving the loop early stops
   * the query. A failure after the first chunk is thrown; a result never ends early without an error.
   */
  stream<Row>(
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    limits?: QueryLimits,
  ): AsyncIterable<Row[]>;
  /**
   * Like `stream`, with each row as an array of its column values: with many short rows, column names would be more
   * than half of the response.
   */
  streamTuples<Row extends readonly unknown[]>(
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    limits?: QueryLimits,
  ): AsyncIterable<Row[]>;
  /**
   * Runs a SELECT and yields its result as the engine writes it in `format`, split anywhere, for results whose rows
   * need no parsing here. Back-pressure, stopping and failures as for `stream`.
   */
  streamBytes(
    sql: string,
    format: ByteFormat,
    params?: Readonly<Record<string, unknown>>,
    options?: ByteOptions,
  ): AsyncIterable<Buffer>;
  /**
   * Stores the rows, all or none, and resolves when the server has confirmed. Atomic per partition of the table: a
   * crash may split an insert between partitions, and one that spans more months than the engine accepts becomes
   * several inserts. Every row must own every named column; `null` is meant for Nullable columns only, since ClickHouse
   * reads it as 0 in a plain number column. A lone surrogate is stored as U+FFFD, -0 as 0. After `WarehouseUnavailable`
   * the rows may or may not be stored.
   */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void>;
  /** Runs a statement without a result (DDL, ALTER, OPTIMIZE) and waits until it has finished. */
  command(sql: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Resolves when the server answers a query with these credentials. */
  ping(): Promise<void>;
  /** Closes the connections; running requests fail with `WarehouseUnavailable`. */
  close(): Promise<void>;
}

/** The logger that the module needs; a pino logger fits. */
export interface WarehouseLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * The warehouse cannot serve now: no connection, timeout, overload, lack of memory or of a replica. The same call may
 * succeed later, so a consumer pauses and retries it; a failed insert may have been stored already.
 */
export class WarehouseUnavailable extends ServiceError {
  /** ClickHouse's error code, or null when no server answered. */
  readonly code: number | null;
  constructor(message: string, code: number | null) {
    super(message);
    this.name = 'WarehouseUnavailable';
    this.code = code;
  }
}

/**
 * The statement exceeded its limit on time, memory or rows: not an outage, and retrying it unchanged is unlikely to
 * help. The message names the limit.
 */
export class WarehouseLimitExceeded extends ServiceError {
  /** ClickHouse's error code. */
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.name = 'WarehouseLimitExceeded';
    this.code = code;
  }
}

/**
 * Stored rows cannot be read: one of their files is changed, cut off or missing, or their table is gone. This persists
 * until an operator restores them; statements that touch other rows succeed.
 */
export class WarehouseDamaged extends DamagedData {
  /** ClickHouse's error code. */
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.name = 'WarehouseDamaged';
    this.code = code;
  }
}

/** The server refused this statement or these rows as wrong. Retrying cannot help. */
export class WarehouseRejected extends Error {
  /** ClickHouse's error code; 0 if the rows were refused before they were sent. */
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.name = 'WarehouseRejected';
    this.code = code;
  }
}
