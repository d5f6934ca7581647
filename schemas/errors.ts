/** The error table: one row per code. `message` is the default text; a throw site may say more, but never payload. */

interface ErrorDefinition {
  readonly statusCode: number;
  readonly message: string;
}

export const ERRORS = {
  INVALID_REQUEST: { statusCode: 400, message: 'The request is not valid' },
  INVALID_JSON: { statusCode: 400, message: 'The body is not valid JSON' },
  CUSTOM_FIELDS_TOO_LARGE: {
    statusCode: 400,
    message: 'metadata.customFields may have at most 16 KiB of JSON and a depth of 8',
  },
  SANDBOX_NOT_FOUND: { statusCode: 400, message: 'Sandbox not found' },
  SANDBOX_INACTIVE: { statusCode: 400, message: 'Sandbox is inactive' },
  SLUG_IMMUTABLE: {
    statusCode: 400,
    message: 'The slug of a sandbox cannot be changed; leave it out, or create another sandbox',
  },
  INVALID_STATUS_TRANSITION: {
    statusCode: 400,
    message: 'The incident cannot be moved there from its status; details.allowed says where it can be moved',
  },
  RETENTION_BELOW_MINIMUM: {
    statusCode: 400,
    message: 'The framework keeps signals longer than retentionDays',
  },
  INVALID_CURSOR: { statusCode: 400, message: 'The cursor is not valid; start again without it' },
  PAGE_TOO_DEEP: {
    statusCode: 400,
    message: 'page x limit may not exceed 100000; use cursor with pagination.nextCursor to read on',
  },
  CORRELATION_TOO_LARGE: {
    statusCode: 400,
    message: 'The range has more signals than one run looks at; choose a shorter one, or one sandbox',
  },
  EXPORT_TOO_LARGE: {
    statusCode: 400,
    message: 'The format cannot hold so many rows; use csv, ndjson or json, or a shorter period',
  },
  MISSING_KEY: { statusCode: 401, message: 'Missing x-service-key header' },
  INVALID_KEY: { statusCode: 401, message: 'Invalid API key' },
  MISSING_SESSION: { statusCode: 401, message: 'Nobody is signed in; sign in with POST /sessions' },
  INVALID_SESSION: {
    statusCode: 401,
    message: 'The session has ended, or is not valid; sign in again with POST /sessions',
  },
  INVALID_CREDENTIALS: { statusCode: 401, message: 'Wrong e-mail or password' },
  INVALID_LINK: {
    statusCode: 401,
    message: 'The link was used already, is older than 10 minutes, or was made by another start',
  },
  INVALID_INTERNAL_SECRET: { statusCode: 401, message: 'Missing or invalid x-internal-secret header' },
  MISSING_AUDITOR_TOKEN: {
    statusCode: 401,
    message: 'Missing Authorization header; send "Bearer", a space and the auditor’s token',
  },
  INVALID_AUDITOR_TOKEN: { statusCode: 401, message: 'Invalid auditor token' },
  SESSION_REQUIRED: {
    statusCode: 403,
    message: 'This needs a session, not an API key; sign in with POST /sessions, and send no key',
  },
  CSRF: {
    statusCode: 403,
    message:
      'Changes made with a session need the header x-csrf-token; GET /sessions/current tells its value',
  },
  SIGNUP_CLOSED: {
    statusCode: 403,
    message: 'Nobody may sign up here; ask who runs the service for an account (setting SIGNUP)',
  },
  PERMISSION_NOT_GRANTED: {
    statusCode: 403,
    message: 'The token lacks the permission for this; ask who issued it for another one',
  },
  FRAMEWORK_NOT_GRANTED: {
    statusCode: 403,
    message: 'The token is limited to other frameworks; leave framework out to see what it shows',
  },
  CUSTOMER_NOT_GRANTED: { statusCode: 403, message: 'The token shows nothing of this customer' },
  AUDIT_LIMIT_REACHED: { statusCode: 403, message: 'Plan audit limit reached' },
  SANDBOX_LIMIT_REACHED: { statusCode: 403, message: 'Plan sandbox limit reached' },
  SANDBOX_TOTAL_REACHED: {
    statusCode: 403,
    message: 'Plan limit of sandboxes ever made reached; change one that is there instead',
  },
  API_KEY_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Plan limit of API keys ever made reached; use one that is there',
  },
  POLICY_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Plan limit of policies reached; delete one, or give one that is there more rules',
  },
  INCIDENT_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Plan limit of incidents ever opened reached; reopen one that is there',
  },
  AUDITOR_TOTAL_REACHED: {
    statusCode: 403,
    message: 'Plan limit of auditors ever made reached; use one that is there',
  },
  RETENTION_POLICIES_REACHED: {
    statusCode: 403,
    message: '100 retention policies were made, deleted ones too; change one that is there',
  },
  PACKAGE_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Plan limit of kept evidence packages reached; use one that is there, or wait until one expires',
  },
  ROLE_NOT_ALLOWED: {
    statusCode: 403,
    message: 'This role may not move the incident there; see "moves" of the incident for the roles that may',
  },
  SEGREGATION_OF_DUTIES: {
    statusCode: 403,
    message: 'This user may not make this move, for what the user did before; ask somebody else to make it',
  },
  STORAGE_LIMIT_REACHED: {
    statusCode: 403,
    message: 'Plan limit of stored records reached; change sandboxes less often, or give them shorter rules',
  },
  NOT_FOUND: { statusCode: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { statusCode: 405, message: 'Method not allowed' },
  REQUEST_TIMEOUT: { statusCode: 408, message: 'The request took too long to arrive' },
  CONFLICT: { statusCode: 409, message: 'The record changed or exists already' },
  EMAIL_TAKEN: { statusCode: 409, message: 'There is an account with this e-mail; sign in to it' },
  SANDBOX_EXISTS: {
    statusCode: 409,
    message: 'A sandbox with this slug exists already (- and _ count as equal)',
  },
  VERSION_CONFLICT: {
    statusCode: 409,
    message: 'The record has changed since it was read; read it again, and decide anew',
  },
  INCIDENT_OPEN: {
    statusCode: 409,
    message: 'Another incident of the signal is open; go on with that one',
  },
  RETENTION_ACTIVE: {
    statusCode: 409,
    message:
      'A retention policy names a framework that keeps the signal longer; say reason=DATA_SUBJECT_REQUEST where somebody asked for the erasure',
  },
  LEGAL_HOLD: {
    statusCode: 409,
    message: 'A legal hold forbids the erasure; it ends when the policy that holds is changed or deleted',
  },
  RETENTION_CHANGES_REACHED: {
    statusCode: 409,
    message: 'The retention policy was changed 1,000 times, and no more; delete it, and make another',
  },
  AUDIT_IN_FLIGHT: {
    statusCode: 409,
    message: 'The audit has not ended yet; erase it when GET /audits/:id says COMPLETED or FAILED',
  },
  TRANSITION_LIMIT_REACHED: {
    statusCode: 409,
    message: 'The incident was moved 200 times, and no more; it stays as it is',
  },
  SIGNAL_INCIDENTS_REACHED: {
    statusCode: 409,
    message: 'The signal has had 100 incidents, and gets no more; reopen its last one',
  },
  PACKAGE_NOT_READY: {
    statusCode: 409,
    message: 'The package is still being made; repeat the request later',
  },
  PACKAGE_FAILED: {
    statusCode: 409,
    message:
      'The package could not be made, or its file is gone or was changed; its field "failure" says why. Ask for another one',
  },
  CUSTOMER_ERASED: { statusCode: 409, message: 'The customer is being erased, or was' },
  PARTITION_NOT_STOPPED: {
    statusCode: 409,
    message: 'The partition is not stopped at this offset; see "cas partitions"',
  },
  LOSS_NOT_ACCEPTABLE: {
    statusCode: 409,
    message: 'What stops the partition is mended, not accepted; "cas partitions" says how',
  },
  RECORD_DIFFERS: {
    statusCode: 409,
    message: 'The record there has another digest; look at it again with "cas partitions show"',
  },
  LEDGER_ROLLED_BACK: {
    statusCode: 409,
    message:
      'The stored ledger does not go on from its last signed checkpoint, so nothing is signed; GET /evidence/hash-chain/verify says more, and an operator has to look at it',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    statusCode: 409,
    message: 'A request with this Idempotency-Key is still in flight; repeat it later',
  },
  BODY_TOO_LARGE: { statusCode: 413, message: 'The body is too large' },
  URI_TOO_LONG: { statusCode: 414, message: 'The address is too long' },
  UNSUPPORTED_MEDIA_TYPE: {
    statusCode: 415,
    message: 'Send the body as application/json, in UTF-8',
  },
  HOST_NOT_ALLOWED: {
    statusCode: 421,
    message:
      'The service does not answer under this host name; use its address, or add the name to ALLOWED_HOSTS',
  },
  IDEMPOTENCY_KEY_REUSED: { statusCode: 422, message: 'This Idempotency-Key was used with another body' },
  RATE_LIMITED: { statusCode: 429, message: 'Rate limit exceeded' },
  LEDGER_NOT_ROLLED_BACK: {
    statusCode: 409,
    message: 'The stored ledger goes on from its last checkpoint; there is nothing to accept',
  },
  STREAM_LIMIT_REACHED: {
    statusCode: 429,
    message: 'As many streams as a customer may have are open; close one of them',
  },
  TOO_MANY_AT_ONCE: {
    statusCode: 429,
    message:
      'Too many requests of this kind wait for their turn; send fewer at once, or repeat the request later',
  },
  PACKAGES_UNDER_WAY: {
    statusCode: 429,
    message: 'As many packages of the customer are being made as may be at once; repeat the request later',
  },
  IDEMPOTENCY_BUDGET_REACHED: {
    statusCode: 429,
    message:
      'The answers of the last day that are remembered under Idempotency-Keys fill the plan’s budget; send fewer requests with a key, or smaller ones, or without one',
  },
  ERASURES_UNDER_WAY: {
    statusCode: 429,
    message: 'As many erasures are under way as a customer may have; repeat the request later',
  },
  SANDBOX_CHANGES_REACHED: {
    statusCode: 429,
    message: 'Plan limit of changes of sandboxes, policies and settings a day reached; go on after 00:00 UTC',
  },
  ACTIVE_AUDITORS_REACHED: {
    statusCode: 429,
    message: 'The customer has 20 active auditors, and gets no more; revoke one, or wait until one expires',
  },
  AUDITOR_CALLS_REACHED: {
    statusCode: 429,
    message: 'Auditors of the customer made 10,000 calls today, and no more are taken; go on after 00:00 UTC',
  },
  HEADERS_TOO_LARGE: { statusCode: 431, message: 'The request headers are too large' },
  BODIES_BUSY: {
    statusCode: 503,
    message:
      'As many bodies are under way as the service may hold in memory; repeat the request later, or send a smaller one',
  },
  INTERNAL: { statusCode: 500, message: 'Internal server error' },
  DATA_DAMAGED: {
    statusCode: 500,
    message:
      'Stored data that the answer needs are damaged and cannot be read. Do not retry: an operator has to restore them. GET /evidence/hash-chain/verify says which entries of the ledger are damaged',
  },
  UNAVAILABLE: {
    statusCode: 503,
    message: 'A part of the service is not available; repeat the request later',
  },
  PACKAGES_OFF: {
    statusCode: 503,
    message:
      'The service has no folder for evidence packages; its operator has to set PACKAGES_DIR, to one that all API processes share',
  },
  STATE_OLDER: {
    statusCode: 503,
    message:
      'The stored state was set back behind the ledger, and nothing is answered until an operator has decided; the log of the service says what to do',
  },
  PARTITION_STOPPED: {
    statusCode: 503,
    message:
      'Audits cannot be analyzed in this part of the log now, and this one was not accepted; repeat the request later. "cas partitions" shows the operator what to do',
  },
  STORAGE_FULL: {
    statusCode: 503,
    message:
      'There is no space for more audits now, and this was not taken; repeat the request later. /health/ready tells the operator what to do',
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
