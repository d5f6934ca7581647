import { AppendError, LogFull, PartitionStopped } from '#platform/event-log/port.ts';
import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import { DamagedData, isRetryable } from '#platform/flow/service-error.ts';
import { KeyDestroyed } from '#platform/sealing/port.ts';
import { WarehouseLimitExceeded } from '#platform/warehouse/port.ts';
import type { ErrorBody, ProblemBody } from '#schemas/api/errors.ts';
import { ERRORS, type ErrorCode, STATUS_NAMES } from '#schemas/errors.ts';

/** A refusal with headers that only HTTP knows. */
export class ApiError extends Refusal {
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: ErrorCode,
    headers: Readonly<Record<string, string>>,
    options: { message?: string } = {},
  ) {
    super(code, options);
    this.name = 'ApiError';
    this.headers = headers;
  }
}

export const statusOf = ({ code }: Pick<Refusal, 'code'>): number => ERRORS[code].statusCode;

/** Refusals that say how to authenticate. */
const AUTHENTICATE: Readonly<Partial<Record<ErrorCode, string>>> = {
  MISSING_AUDITOR_TOKEN: 'Bearer',
  INVALID_AUDITOR_TOKEN: 'Bearer',
};

export function headersOf(refusal: Refusal): Record<string, string> {
  const { code, retryAfterSeconds } = refusal;
  const scheme = AUTHENTICATE[code];
  return {
    ...(refusal instanceof ApiError ? refusal.headers : {}),
    ...(scheme === undefined ? {} : { 'www-authenticate': scheme }),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
}

/** If consumers are only behind, space is freed within seconds; otherwise an operator must free it. */
const SPACE_RETRY_SECONDS = 5;

/** The log has no room for clients' records; nothing was stored. */
const storageFull = (cause: unknown): Refusal =>
  new Refusal('STORAGE_FULL', { retryAfterSeconds: SPACE_RETRY_SECONDS, cause });

/** How often a stopped partition retries. */
const STOPPED_RETRY_SECONDS = 30;

const partitionStopped = (cause: unknown): Refusal =>
  new Refusal('PARTITION_STOPPED', { retryAfterSeconds: STOPPED_RETRY_SECONDS, cause });

/** Why the log rejected an append: the first failure counts. */
const refusalOfLog = (error: unknown): unknown => (error instanceof AppendError ? error.cause : error);

/**
 * The answer takes more work than one request may cost. On a busy server this is temporary; otherwise the customer
 * should ask for less.
 */
const tooMuchWork = (cause: unknown): Refusal =>
  new Refusal('UNAVAILABLE', {
    message: 'The query took too long or returned too much. Choose a shorter period or a smaller page.',
    retryAfterSeconds: 1,
    cause,
  });

/** Error codes of the HTTP framework and of Node's parser. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_ERR_BAD_URL: 'INVALID_REQUEST',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  ECONNRESET: 'INVALID_REQUEST',
};

/** The answer to any error. An unexpected one becomes INTERNAL and reveals nothing. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const refusal = refusalOfLog(error);
  if (refusal instanceof LogFull) return storageFull(error);
  if (refusal instanceof PartitionStopped) return partitionStopped(error);
  if (error instanceof WarehouseLimitExceeded) return tooMuchWork(error);
  if (error instanceof DamagedData) return new Refusal('DATA_DAMAGED', { cause: error });
  if (isRetryable(error)) return unavailable(error);
  // The customer was erased while the request was in progress: its keys are refused from now on.
  if (error instanceof KeyDestroyed) return new Refusal('INVALID_KEY', { cause: error });
  const code = FRAMEWORK_CODES[(error as { code?: string } | null)?.code ?? ''];
  return new Refusal(code ?? 'INTERNAL', { cause: error });
}

const shownDetails = ({ details }: Refusal): Pick<ErrorBody, 'details'> =>
  details === undefined ? {} : { details: 'allowed' in details ? details : [...details] };

export function errorBody(error: Refusal, requestId: string): ErrorBody {
  return {
    statusCode: statusOf(error),
    message: error.message,
    error: STATUS_NAMES[statusOf(error)] ?? 'Error',
    code: error.code,
    requestId,
    ...shownDetails(error),
  };
}

export function problemBody(error: Refusal, requestId: string): ProblemBody {
  return {
    type: 'about:blank',
    title: STATUS_NAMES[statusOf(error)] ?? 'Error',
    status: statusOf(error),
    detail: error.message,
    code: error.code,
    requestId,
    ...shownDetails(error),
  };
}
