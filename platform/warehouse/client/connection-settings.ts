/**
 * Settings that every request sends in its URL, so that a real server and the embedded engine behave alike whatever
 * their defaults are.
 */
export const CONNECTION_SETTINGS = {
  /**
   * 1 would send (U)Int64 as JSON strings, exact at any size; 0 sends JSON numbers, which JavaScript reads exactly up
   * to 2^53-1. All our integers are below that; select `toString(x)` for anything larger, such as a 64-bit hash.
   */
  output_format_json_quote_64bit_integers: 0,
  /** DateTime64(3, 'UTC') arrives as 2026-01-02T03:04:05.678Z. */
  date_time_output_format: 'iso',
  /** Accepts the same ISO form in inserts. */
  date_time_input_format: 'best_effort',
  /** The default parser may be wrong in the last bit; a stored number must be read back unchanged. */
  precise_float_parsing: 1,
  /**
   * With FINAL, filter a row only after it won over older ones, so that no filter matches an erased row's old content.
   */
  optimize_move_to_prewhere_if_final: 0,
  /** A successful insert means stored, not queued. */
  async_insert: 0,
  /** A failure after the first rows breaks off the response instead of being written into it. */
  http_write_exception_in_output_format: 0,
  /** A result above a limit is an error, never a shorter result. */
  result_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  /** One statement cannot starve the others of memory; sorts and groups spill to disk before that. */
  max_memory_usage: String(2 * 1024 ** 3),
} as const;

/**
 * One insert is one block: an insert is atomic per block and partition. Our inserts stay far below these sizes, so one
 * bad row refuses the whole insert.
 */
export const INSERT_SETTINGS = {
  max_insert_threads: '1',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '1073741824',
  /**
   * The fold repeats identical blocks after a crash, where the engine's own deduplication could lose rows. Newer
   * servers use another setting, which older ones do not know; the tables' settings turn it off on all servers.
   */
  insert_deduplicate: 0,
  /** Twice as many partitions as one of our inserts touches (`insert-chunks.ts`), whatever the server's default. */
  max_partitions_per_insert_block: '100',
  max_execution_time: 60,
} as const;

/**
 * Settings of every request to a cluster, whichever replica answers. An insert succeeds once a majority of replicas has
 * it, and a replica that lacks the newest inserts refuses reads: a chain continued from an old head would fork, and a
 * stale read would deny what was stored.
 */
export const CLUSTER_SETTINGS = {
  insert_quorum: 'auto',
  /** The next setting works only while inserts into a table are sequential. */
  insert_quorum_parallel: 0,
  select_sequential_consistency: '1',
  /** Below the client's own timeout, so that the error says what is missing. */
  insert_quorum_timeout: '20000',
} as const;

/** Default limits of one read. */
export const READ_LIMITS = {
  maxExecutionSeconds: 60,
  maxRows: 1_000_000,
} as const;

/** A `query` holds its whole result in memory. */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** A stream waits for its reader, possibly a customer on a slow connection, and has no row limit. */
export const STREAM_LIMITS = { maxExecutionSeconds: 900 } as const;
