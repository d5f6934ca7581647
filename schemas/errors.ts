/**
 * The error table: one row per code. `message` is the default text; code that throws may add details, but never
 * payload.
 */

interface ErrorDefinition {
  readonly statusCode: number;
  readonly message: string;
}

export const ERRORS = {
  INVALID_REQUEST: { statusCode: 400, message: 'The request is not valid' },
  INVALID_JSON: { statusCode: 400, message: 'The body is not valid JSON' },
  CUSTOM_FIELDS_TOO_LARGE: {
    statusCode: 400,
    message: 'metadata.customFields is limited to 16 KiB of JSON and 8 levels of nesting',
  },
  SANDBOX_NOT_FOUND: { statusCode: 400, message: 'Sandbox not found' },
  SANDBOX_INACTIVE: { statusCode: 400, message: 'Sandbox is inactive. Set active to true to use it.' },
  SLUG_IMMUTABLE: {
    statusCode: 400,
    message: 'A sandbox’s slug cannot be changed. Omit slug, or create another sandbox.',
  },
  INVALID_STATUS_TRANSITION: {
    statusCode: 400,
    message: 'Status change not allowed. details.allowed lists the statuses that are.',
  },
  RETENTION_BELOW_MINIMUM: {
    statusCode: 400,
    message: 'retentionDays is below the minimum of the framework',
  },
  INVALID_CURSOR: { statusCode: 400, message: 'Invalid cursor. Omit it to start from the first page.' },
  PAGE_TOO_DEEP: {
    statusCode: 400,
    message: 'page × limit must not exceed 100,000. Use cursor with pagination.nextCursor to read further.',
  },
  CORRELATION_TOO_LARGE: {
    statusCode: 400,
    message: 'Too many signals in this range. Choose a shorter range, or a single sandbox.',
  },
  EXPORT_TOO_LARGE: {
    statusCode: 400,
    message: 'Too many rows for this format. Use csv, ndjson or json, or choose a shorter period.',
  },
  MISSING_KEY: { statusCode: 401, message: 'Missing x-service-key header' },
  INVALID_KEY: { statusCode: 401, message: 'Invalid API key' },
  MISSING_SESSION: { statusCode: 401, message: 'Not signed in. Sign in with POST /sessions.' },
  INVALID_SESSION: {
    statusCode: 401,
    message: 'Session expired or invalid. Sign in again with POST /sessions.',
  },
  INVALID_CREDENTIALS: { statusCode: 401, message: 'Incorrect email or password' },
  INVALID_LINK: {
    statusCode: 401,
    message:
      'This sign-in link has been used or has expired. To get a new one, run "npm run cas -- login" on the machine that runs the service',
  },
  INVALID_INTERNAL_SECRET: { statusCode: 401, message: 'Missing or invalid x-internal-secret header' },
  MISSING_AUDITOR_TOKEN: {
    statusCode: 401,
    message: 'Missing Authorization header. Send "Authorization: Bearer TOKEN" with the auditor’s token.',
  },
  INVALID_AUDITOR_TOKEN: { statusCode: 401, message: 'Invalid auditor token' },
  SESSION_REQUIRED: {
    statusCode: 403,
    message: 'A session is required. Sign in with POST /sessions, and send no API key.',
  },
  CSRF: {
    statusCode: 403,
    message: 'Missing or invalid x-csrf-token header. GET /sessions/current returns the token.',
  },
  SIGNUP_CLOSED: {
    statusCode: 403,
    message: 'Sign-up is closed. Ask the operator for an account (setting SIGNUP).',
  },
  FRESH_LINK_REQUIRED: {
    statusCode: 403,
    message:
      'This takes a session that a one-time link opened in the last 30 minutes; run "cas login" for a new link',
  },
  PERMISSION_NOT_GRANTED: {
    statusCode: 403,
    message: 'The token lacks the permission for this. Ask its issuer for a new token.',
  },
  FRAMEWORK_NOT_GRANTED: {
    statusCode: 403,
    message: 'The token does not cover this framework. Omit framework to see what it covers.',
  },
  CUSTOMER_NOT_GRANTED: { statusCode: 403, message: 'The token does not cover this customer' },
  AUDIT_LIMIT_REACHED: {
    statusCode: 403,
    message:
      'Monthly audit limit of the plan reached. Wait until next month (UTC), or ask the operator for a higher limit.',
  },
  SANDBOX_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Sandbox limit of the plan reached. Delete a sandbox, or ask the operator for a higher limit.',
  },
  SANDBOX_TOTAL_REACHED: {
    statusCode: 403,
    message: 'Plan limit reached for sandboxes ever created. Change an existing sandbox instead.',
  },
  API_KEY_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Plan limit reached for API keys ever created. Use an existing key.',
  },
  POLICY_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Policy limit of the plan reached. Delete a policy, or add rules to an existing one.',
  },
  INCIDENT_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Plan limit reached for incidents ever opened. Reopen an existing incident.',
  },
  AUDITOR_TOTAL_REACHED: {
    statusCode: 403,
    message: 'Plan limit reached for auditors ever created. Use an existing auditor.',
  },
  RETENTION_POLICIES_REACHED: {
    statusCode: 403,
    message: 'Limit of 100 retention policies reached, including deleted ones. Change an existing policy.',
  },
  PACKAGE_LIMIT_REACHED: {
    statusCode: 403,
    message:
      'Plan limit reached for stored evidence packages. Use an existing package, or wait until one expires.',
  },
  ROLE_NOT_ALLOWED: {
    statusCode: 403,
    message:
      'This role cannot make this status change. The "moves" field of the incident lists the roles that can.',
  },
  SEGREGATION_OF_DUTIES: {
    statusCode: 403,
    message:
      'Separation of duties: this user already acted on the incident. Another user must make this change.',
  },
  STORAGE_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Plan limit reached for stored records. Change sandboxes less often, or use shorter rules.',
  },
  NOT_FOUND: { statusCode: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { statusCode: 405, message: 'Method not allowed' },
  REQUEST_TIMEOUT: { statusCode: 408, message: 'The request took too long to arrive. Send it again.' },
  CONFLICT: { statusCode: 409, message: 'The record was changed, or already exists' },
  EMAIL_TAKEN: { statusCode: 409, message: 'An account with this email already exists. Sign in instead.' },
  SANDBOX_EXISTS: {
    statusCode: 409,
    message:
      'A sandbox with this slug already exists (- and _ are equivalent). Choose another slug, or update that sandbox.',
  },
  VERSION_CONFLICT: {
    statusCode: 409,
    message: 'The record has changed since you read it. Read it again, then retry.',
  },
  INCIDENT_OPEN: {
    statusCode: 409,
    message: 'The signal already has an open incident. Continue with that one.',
  },
  RETENTION_ACTIVE: {
    statusCode: 409,
    message:
      'A retention policy for a framework still requires this signal. Send reason=DATA_SUBJECT_REQUEST if the data subject requested the erasure.',
  },
  LEGAL_HOLD: {
    statusCode: 409,
    message: 'A legal hold prevents the erasure. Change or delete its policy to release the hold.',
  },
  RETENTION_CHANGES_REACHED: {
    statusCode: 409,
    message: 'Limit of 1,000 changes per retention policy reached. Delete this one and create another.',
  },
  AUDIT_IN_FLIGHT: {
    statusCode: 409,
    message: 'The audit is still in progress. Erase it when GET /audits/:id returns COMPLETED or FAILED.',
  },
  TRANSITION_LIMIT_REACHED: {
    statusCode: 409,
    message: 'Limit of 200 status changes per incident reached. The status is final.',
  },
  SIGNAL_INCIDENTS_REACHED: {
    statusCode: 409,
    message: 'Limit of 100 incidents per signal reached. Reopen the last one.',
  },
  PACKAGE_NOT_READY: {
    statusCode: 409,
    message: 'The package is not ready yet. Try again later.',
  },
  PACKAGE_FAILED: {
    statusCode: 409,
    message:
      'The package was not created, or its file is missing or changed. See its "failure" field, then request a new package.',
  },
  CUSTOMER_ERASED: { statusCode: 409, message: 'The customer is erased, or its erasure is in progress' },
  PARTITION_NOT_STOPPED: {
    statusCode: 409,
    message: 'The partition is not stopped at this offset. Run "cas partitions" to see its status.',
  },
  LOSS_NOT_ACCEPTABLE: {
    statusCode: 409,
    message: 'This loss cannot be accepted, because its cause can be fixed. Run "cas partitions" to see how.',
  },
  RECORD_DIFFERS: {
    statusCode: 409,
    message: 'The record has a different digest. Check it again with "cas partitions show".',
  },
  LEDGER_ROLLED_BACK: {
    statusCode: 409,
    message:
      'The stored ledger does not extend its last signed checkpoint, so nothing is signed. An operator must investigate. GET /evidence/hash-chain/verify has details.',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    statusCode: 409,
    message: 'A request with this Idempotency-Key is still in progress. Try again later.',
  },
  BODY_TOO_LARGE: { statusCode: 413, message: 'The body is too large' },
  URI_TOO_LONG: { statusCode: 414, message: 'The URL is too long' },
  UNSUPPORTED_MEDIA_TYPE: {
    statusCode: 415,
    message: 'Send the body as application/json, in UTF-8',
  },
  HOST_NOT_ALLOWED: {
    statusCode: 421,
    message: 'Host not allowed. Use the address of the service, or add this host name to ALLOWED_HOSTS.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    statusCode: 422,
    message: 'This Idempotency-Key was used with a different body. Use a new key.',
  },
  RATE_LIMITED: { statusCode: 429, message: 'Rate limit exceeded' },
  LEDGER_NOT_ROLLED_BACK: {
    statusCode: 409,
    message: 'The stored ledger extends its last checkpoint. There is no rollback to accept.',
  },
  STREAM_LIMIT_REACHED: {
    statusCode: 429,
    message: 'Too many open streams for this customer. Close one, then connect again.',
  },
  TOO_MANY_AT_ONCE: {
    statusCode: 429,
    message: 'Too many requests of this kind are waiting. Send fewer at once, or try again later.',
  },
  PACKAGES_UNDER_WAY: {
    statusCode: 429,
    message: 'Too many packages in progress for this customer. Try again later.',
  },
  IDEMPOTENCY_BUDGET_REACHED: {
    statusCode: 429,
    message:
      'Plan limit reached for responses stored under Idempotency-Keys (24 hours). Send fewer or smaller requests with a key, or omit the key.',
  },
  ERASURES_UNDER_WAY: {
    statusCode: 429,
    message: 'Too many erasures in progress for this customer. Try again later.',
  },
  SANDBOX_CHANGES_REACHED: {
    statusCode: 429,
    message:
      'Daily plan limit reached for changes to sandboxes, policies and settings. Try again after 00:00 UTC.',
  },
  ACTIVE_AUDITORS_REACHED: {
    statusCode: 429,
    message: 'Limit of 20 active auditors reached. Revoke one, or wait until one expires.',
  },
  AUDITOR_CALLS_REACHED: {
    statusCode: 429,
    message: 'Daily limit of 10,000 auditor requests reached for this customer. Try again after 00:00 UTC.',
  },
  HEADERS_TOO_LARGE: { statusCode: 431, message: 'The request headers are too large' },
  BODIES_BUSY: {
    statusCode: 503,
    message: 'The service has no memory left for request bodies. Try again later, or send a smaller body.',
  },
  INTERNAL: { statusCode: 500, message: 'Internal server error' },
  DATA_DAMAGED: {
    statusCode: 500,
    message:
      'Stored data is damaged and cannot be read. Do not retry: an operator must restore it. GET /evidence/hash-chain/verify lists damaged ledger entries.',
  },
  UNAVAILABLE: {
    statusCode: 503,
    message: 'A dependency of the service is unavailable. Try again later.',
  },
  PACKAGES_OFF: {
    statusCode: 503,
    message:
      'Evidence packages are not configured. The operator must set PACKAGES_DIR (a folder that all API processes share) or PACKAGES_S3_BUCKET.',
  },
  STATE_OLDER: {
    statusCode: 503,
    message:
      'The stored state is older than the ledger. Requests are rejected until an operator resolves this; the service log says how.',
  },
  PARTITION_STOPPED: {
    statusCode: 503,
    message:
      'Audit not accepted: its partition is stopped. Try again later. Operators: run "cas partitions" to see what to do.',
  },
  STORAGE_FULL: {
    statusCode: 503,
    message:
      'Audit not accepted: storage is full. Try again later. Operators: /health/ready says what to do.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** Reason phrase for `error`, e.g. 400 -> "Bad Request". */
export const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
