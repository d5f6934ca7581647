import { AppendError, LogFull, PartitionStopped } from '#platform/event-log/port.ts';
import { DamagedData, isRetryable } from '#platform/flow/service-error.ts';
import { KeyDestroyed } from '#platform/sealing/port.ts';
import { WarehouseLimitExceeded } from '#platform/warehouse/port.ts';
import type { AllowedMoves, ErrorBody, ErrorDetail, ProblemBody } from '#schemas/api/errors.ts';
import { ERRORS, type ErrorCode, STATUS_NAMES } from '#schemas/errors.ts';

interface ApiErrorOptions extends ErrorOptions {
  readonly message?: string;
  readonly details?: readonly ErrorDetail[] | AllowedMoves;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is answered as it is: a row of the error table, with a message that never quotes payload. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | AllowedMoves | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: ErrorCode, { message, details, headers, ...options }: ApiErrorOptions = {}) {
    super(message ?? ERRORS[code].message, options);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
    this.headers = headers ?? {};
  }
  get statusCode(): number {
    return ERRORS[this.code].statusCode;
  }
}

/** One fault of one field or parameter. */
export const invalid = (path: string, message: string): ApiError =>
  new ApiError('INVALID_REQUEST', { message: `${path}: ${message}`, details: [{ path, message }] });

/** An auditor's call without a token, or with one that is none, or none any more. */
export const notAnAuditor = (
  code: 'MISSING_AUDITOR_TOKEN' | 'INVALID_AUDITOR_TOKEN',
  options: ErrorOptions = {},
): ApiError => new ApiError(code, { ...options, headers: { 'www-authenticate': 'Bearer' } });

const RETRY_SECONDS = '1';

export const unavailable = (cause: unknown): ApiError =>
  new ApiError('UNAVAILABLE', { headers: { 'retry-after': RETRY_SECONDS }, cause });

/** Space is freed within seconds when consumers are only behind, otherwise by an operator. */
const SPACE_RETRY_SECONDS = '5';

/** The log has no room for clients' records; nothing was stored. */
const storageFull = (cause: unknown): ApiError =>
  new ApiError('STORAGE_FULL', { headers: { 'retry-after': SPACE_RETRY_SECONDS }, cause });

/** A stopped partition tries again so often. */
const STOPPED_RETRY_SECONDS = '30';

const partitionStopped = (cause: unknown): ApiError =>
  new ApiError('PARTITION_STOPPED', { headers: { 'retry-after': STOPPED_RETRY_SECONDS }, cause });

/** Why the log took nothing: of an append the first failure counts. */
const refusalOfLog = (error: unknown): unknown => (error instanceof AppendError ? error.cause : error);

/**
 * The answer takes more work than one request may cost: on a busy server this is temporary, otherwise the customer
 * should ask for less.
 */
const tooMuchWork = (cause: unknown): ApiError =>
  new ApiError('UNAVAILABLE', {
    message: 'The answer takes too long or is too large; ask for a shorter period or a smaller page',
    headers: { 'retry-after': RETRY_SECONDS },
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

/** The answer to any error. An unforeseen one becomes INTERNAL and reveals nothing. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const refusal = refusalOfLog(error);
  if (refusal instanceof LogFull) return storageFull(error);
  if (refusal instanceof PartitionStopped) return partitionStopped(error);
  if (error instanceof WarehouseLimitExceeded) return tooMuchWork(error);
  if (error instanceof DamagedData) return new ApiError('DATA_DAMAGED', { cause: error });
  if (isRetryable(error)) return unavailable(error);
  // The customer was erased while the request was in progress: its keys are refused from now on.
  if (error instanceof KeyDestroyed) return new ApiError('INVALID_KEY', { cause: error });
  const code = FRAMEWORK_CODES[(error as { code?: string } | null)?.code ?? ''];
  return new ApiError(code ?? 'INTERNAL', { cause: error });
}

const shownDetails = ({ details }: ApiError): Pick<ErrorBody, 'details'> =>
  details === undefined ? {} : { details: 'allowed' in details ? details : [...details] };

export function errorBody(error: ApiError, requestId: string): ErrorBody {
  return {
    statusCode: error.statusCode,
    message: error.message,
    error: STATUS_NAMES[error.statusCode] ?? 'Error',
    code: error.code,
    requestId,
    ...shownDetails(error),
  };
}

export function problemBody(error: ApiError, requestId: string): ProblemBody {
  return {
    type: 'about:blank',
    title: STATUS_NAMES[error.statusCode] ?? 'Error',
    status: error.statusCode,
    detail: error.message,
    code: error.code,
    requestId,
    ...shownDetails(error),
  };
}
