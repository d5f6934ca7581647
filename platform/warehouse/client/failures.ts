import { types } from 'node:util';
import { ClickHouseError } from '@clickhouse/client';
import {
  WarehouseDamaged,
  WarehouseLimitExceeded,
  WarehouseRejected,
  WarehouseUnavailable,
} from '../port.ts';

/**
 * ClickHouse errors about the server's state, not the statement: the same call may succeed later. Every other code is a
 * rejection. Numbers from ClickHouse's ErrorCodes.cpp.
 */
const TRANSIENT_CODES = new Set([
  74, // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75, // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  76, // CANNOT_OPEN_FILE
  95, // CANNOT_READ_FROM_SOCKET
  96, // CANNOT_WRITE_TO_SOCKET
  159, // TIMEOUT_EXCEEDED
  160, // TOO_SLOW
  173, // CANNOT_ALLOCATE_MEMORY
  198, // DNS_ERROR
  201, // QUOTA_EXCEEDED
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  203, // NO_FREE_CONNECTION
  209, // SOCKET_TIMEOUT
  210, // NETWORK_ERROR
  225, // NO_ZOOKEEPER
  236, // ABORTED
  241, // MEMORY_LIMIT_EXCEEDED
  242, // TABLE_IS_READ_ONLY
  243, // NOT_ENOUGH_SPACE
  252, // TOO_MANY_PARTS
  279, // ALL_CONNECTION_TRIES_FAILED
  285, // TOO_FEW_LIVE_REPLICAS
  286, // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  289, // REPLICA_IS_NOT_IN_QUORUM
  319, // UNKNOWN_STATUS_OF_INSERT
  341, // UNFINISHED
  364, // RECEIVED_ERROR_TOO_MANY_REQUESTS
  373, // SESSION_IS_LOCKED
  394, // QUERY_WAS_CANCELLED
  425, // SYSTEM_ERROR
  439, // CANNOT_SCHEDULE_TASK
  473, // DEADLOCK_AVOIDED
  499, // S3_ERROR
  735, // QUERY_WAS_CANCELLED_BY_CLIENT
  745, // SERVER_OVERLOADED
  999, // KEEPER_EXCEPTION
  1000, // POCO_EXCEPTION
]);

/** Stored data are damaged: the same statement keeps failing until an operator restores them. */
const DAMAGE_CODES = new Set([
  16, // NO_SUCH_COLUMN_IN_TABLE
  32, // ATTEMPT_TO_READ_AFTER_EOF
  33, // CANNOT_READ_ALL_DATA
  39, // TOO_LARGE_SIZE_COMPRESSED
  40, // CHECKSUM_DOESNT_MATCH
  60, // UNKNOWN_TABLE
  83, // DIRECTORY_DOESNT_EXIST
  107, // FILE_DOESNT_EXIST
  117, // INCORRECT_DATA
  226, // NO_FILE_IN_DATA_PART
  228, // BAD_SIZE_OF_FILE_IN_DATA_PART
  230, // NOT_FOUND_EXPECTED_DATA_PART
  231, // TOO_MANY_UNEXPECTED_DATA_PARTS
  232, // NO_SUCH_DATA_PART
  234, // NO_REPLICA_HAS_PART
  246, // CORRUPTED_DATA
  271, // CANNOT_DECOMPRESS
  432, // UNKNOWN_CODEC
  740, // POTENTIALLY_BROKEN_DATA_PART
]);

/**
 * One code for two errors: a table with more parts than merges can keep up with, which is transient, and rows of more
 * partitions than one insert may touch, which no retry can store.
 */
const TOO_MANY_PARTS_CODE = 252;
const TOO_MANY_PARTITIONS = /^Too many partitions for single INSERT block/i;

/**
 * Authentication or authorization failed: the user's password or permissions changed, or our settings are wrong. The
 * data are not at fault, so a running service waits, not ready, until an operator corrects it; a starting program fails
 * at its first statement.
 */
const LOGIN_CODES = new Set([
  192, // UNKNOWN_USER
  193, // WRONG_PASSWORD
  194, // REQUIRED_PASSWORD
  195, // IP_ADDRESS_NOT_ALLOWED
  516, // AUTHENTICATION_FAILED
  532, // LDAP_ERROR
  576, // KERBEROS_ERROR
  720, // USER_EXPIRED
]);
const ACCESS_CODES = new Set([
  291, // DATABASE_ACCESS_DENIED
  497, // ACCESS_DENIED
]);

/** Limits on the size of one statement's result or input. */
const SIZE_LIMIT_CODES: ReadonlyMap<number, string> = new Map([
  [158, 'rows'],
  [307, 'bytes'],
  [396, 'rows or bytes of the result'],
]);
/** Limits on time. For a statement that writes they only show how busy the server is. */
const TIME_LIMIT_CODES: ReadonlySet<number> = new Set([159, 160]);
const MEMORY_LIMIT_CODE = 241;
/**
 * The server uses one code for a statement's memory limit and for its own; only the wording differs, and it varies by
 * release.
 */
const OWN_MEMORY = /^(?:Query memory limit exceeded|Memory limit \(for query\) exceeded)/;

/** Errors about names and grammar. Their text helps to fix a statement; any other text may quote stored data. */
const NAMING_CODES = new Set([8, 10, 16, 36, 42, 43, 46, 47, 50, 57, 60, 62, 81, 82, 115, 179, 215, 456]);

const CONNECTION_LOST = /socket hang up|ECONNRESET|EPIPE|aborted|other side closed|Premature close/i;
const MASKED_TEXT_LIMIT = 160;
const SEARCHED_TEXT = 4_096;

/**
 * Reduces an error text to words and identifiers: drops quoted values, long numbers and everything from where
 * ClickHouse quotes the statement or the data.
 */
export function maskErrorText(text: string): string {
  return text
    .replace(
      /(?:\bbefore:|\bIn scope\b|\bin scope\b|\bWhile\b|\bwhile\b|\bExpected\b|\(at row|\bRow \d|\n)[\s\S]*$/,
      '',
    )
    .replace(/failed at position (\d+)[\s\S]*$/, 'failed at position $1')
    .replace(/'(?:[^'\\]|\\[\s\S])*'?/g, "'...'")
    .replace(/"(?:[^"\\]|\\[\s\S])*"?/g, '"..."')
    .replace(/\d{4,}/g, '#')
    .trim()
    .slice(0, MASKED_TEXT_LIMIT);
}

/** Whether an established connection broke, as opposed to being refused or timing out. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof ClickHouseError || !types.isNativeError(error)) return false;
  return CONNECTION_LOST.test(`${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`);
}

/**
 * Converts any client error into one of the port's errors. The client's error is not kept as the cause: its text may
 * quote rows or parameters, and causes are logged.
 */
export function toWarehouseError(
  operation: string,
  error: unknown,
): WarehouseUnavailable | WarehouseDamaged | WarehouseRejected | WarehouseLimitExceeded {
  if (
    error instanceof WarehouseUnavailable ||
    error instanceof WarehouseDamaged ||
    error instanceof WarehouseRejected ||
    error instanceof WarehouseLimitExceeded
  ) {
    return error;
  }
  if (error instanceof ClickHouseError) {
    const code = Number(error.code);
    const type = error.type ?? 'UNKNOWN_TYPE';
    const limit = exceededLimit(operation, code, error.message);
    if (limit !== null) {
      return new WarehouseLimitExceeded(
        `${operation} exceeded its limit of ${limit} (${type}, code ${code}); use a shorter period or a smaller page`,
        code,
      );
    }
    const refusal = refusedUser(code);
    if (refusal !== null) {
      return new WarehouseUnavailable(
        `${operation} was rejected with ${type} (code ${code}): ${refusal}`,
        code,
      );
    }
    const detail = NAMING_CODES.has(code) ? `: ${maskErrorText(error.message)}` : '';
    const message = `${operation} failed with ${type} (code ${code})${detail}`;
    if (isDamage(code, error.message))
      return new WarehouseDamaged(
        `${message}${partOf(error.message)}; stored data is damaged, run "cas damage" to see what to do`,
        code,
      );
    return isTransient(code, error.message)
      ? new WarehouseUnavailable(message, code)
      : new WarehouseRejected(message, code);
  }
  return new WarehouseUnavailable(`${operation} failed: ${connectionFault(error)}`, null);
}

/** Whether the server refuses the user: retrying does not help until an operator changes the user or the settings. */
export const isRefusedUser = (code: number | null): boolean =>
  code !== null && (LOGIN_CODES.has(code) || ACCESS_CODES.has(code));

/** What to do about a refused user, or null for any other error. */
function refusedUser(code: number): string | null {
  if (LOGIN_CODES.has(code)) {
    return 'ClickHouse rejected the user or password; check CLICKHOUSE_USERNAME and CLICKHOUSE_PASSWORD and start again';
  }
  return ACCESS_CODES.has(code) ? 'the user lacks a required right; grant it on the server' : null;
}

const isTransient = (code: number, message: string): boolean =>
  TRANSIENT_CODES.has(code) && !(code === TOO_MANY_PARTS_CODE && TOO_MANY_PARTITIONS.test(message));

/** ClickHouse also reports a part's missing folder as a C++ library error, under the code for all such errors. */
const LIBRARY_CODE = 1001;
const MISSING_FILE = /filesystem error:[^\n]{0,200}No such file or directory/;

const isDamage = (code: number, message: string): boolean =>
  DAMAGE_CODES.has(code) || (code === LIBRARY_CODE && MISSING_FILE.test(message.slice(0, SEARCHED_TEXT)));

/** Table and folder of the part that ClickHouse names in an error: neither contains a customer's name. */
function partOf(message: string): string {
  const found = /\/([0-9a-f-]{36})\/([\w-]{1,100})\//.exec(message.slice(0, SEARCHED_TEXT));
  return found === null ? '' : ` in part ${found[2]} of table ${found[1]}`;
}

/** Which of its own limits the statement exceeded, or null for any other error. */
function exceededLimit(operation: string, code: number, message: string): string | null {
  const isRead = operation === 'query' || operation === 'stream';
  if (isRead && TIME_LIMIT_CODES.has(code)) return 'time';
  if (code === MEMORY_LIMIT_CODE && OWN_MEMORY.test(message)) return 'memory';
  return SIZE_LIMIT_CODES.get(code) ?? null;
}

function connectionFault(error: unknown): string {
  if (!types.isNativeError(error)) return 'unknown fault';
  const code = (error as NodeJS.ErrnoException).code;
  if (code) return `no connection (${code})`;
  if (error.message === 'Timeout error.') return 'no answer in time';
  if (CONNECTION_LOST.test(error.message)) return 'the connection broke';
  return 'the response is not from ClickHouse';
}
