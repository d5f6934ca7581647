import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { AuditorPermission } from '../vocabulary.ts';
import { strict } from './strict.ts';

/**
 * Who may call an operation. `key`: a customer, with an API key or a session; `session`: only a signed-in user; `none`:
 * everyone.
 */
export type Audience = 'key' | 'session' | 'internal' | 'auditor' | 'none';

/** Surfaces of operations. A listener serves some of them and treats the paths of the others as unknown. */
export const SURFACES = ['client', 'internal', 'operation'] as const;
/** Success headers that only a few operations have, each with its own text in the OpenAPI description. */
export type OwnHeader = 'X-As-Of' | 'X-Tree-Size';

export type Surface = (typeof SURFACES)[number];

/**
 * One operation of the HTTP interface, the source of the server, its tests and the OpenAPI description. Path parameters
 * are written `:name`. `params`, `query` and `body` define the input; `responses` holds the success responses by
 * status. Response objects drop unknown fields, so that additions break no client.
 */
export interface RouteContract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Longer description for first-time readers, in Markdown. */
  readonly description?: string;
  readonly tag: string;
  readonly auth: Audience;
  /** For auditor operations: the permission that a token needs. */
  readonly permission?: AuditorPermission;
  /** Default: `internal` for operations with that `auth`, otherwise `client`. */
  readonly surfaces?: readonly Surface[];
  readonly params?: z.ZodType;
  /** Unknown parameters are refused, even without a `query`. */
  readonly query?: z.ZodType;
  /** True: any query is allowed, because a page's script reads it, or a probe adds one to avoid caches. */
  readonly anyQuery?: boolean;
  readonly body?: z.ZodType;
  /**
   * What happens to unknown fields of the body (default: `refused`). `dropped`: for records that clients build from
   * existing data, so that an extra field does not lose a record.
   */
  readonly unknownFields?: 'refused' | 'dropped';
  /** Larger bodies get 413. */
  readonly bodyLimitBytes?: number;
  /**
   * Limit without the images and other files that texts contain as base64 and that are replaced by references; the body
   * itself may be larger.
   */
  readonly textLimitBytes?: number;
  /** Content-Encodings that the body may use in addition to `identity`. */
  readonly bodyEncodings?: readonly 'gzip'[];
  /** Media types that the body may have (default: only JSON). */
  readonly bodyTypes?: readonly string[];
  /** True: `body` is only documentation; the handler parses the bytes itself, because it responds item by item. */
  readonly rawBody?: boolean;
  /** True: the operation accepts an Idempotency-Key. */
  readonly idempotent?: boolean;
  /** True: the operation accepts If-Match with the record version that the client has seen. */
  readonly ifMatch?: boolean;
  /** True: the operation accepts Last-Event-ID, which clients of server-sent events send. */
  readonly lastEventId?: boolean;
  /** Status of a success; a handler with several statuses names the one it uses. */
  readonly successStatus: number;
  readonly responses: Readonly<Record<number, z.ZodType>>;
  /** Media types of a success that is not JSON, the default first. */
  readonly mediaTypes?: readonly string[];
  /** Headers that only this operation's success has. */
  readonly headers?: readonly OwnHeader[];
  /** Trailers of a success, with their descriptions. */
  readonly trailers?: Readonly<Record<string, string>>;
  /** Statuses that may carry Retry-After because part of the request should be retried. */
  readonly retryAfter?: readonly number[];
  /** Operations that are expensive for the warehouse or memory: customers take turns, and concurrency is low. */
  readonly costly?: 'read' | 'verification' | 'correlation' | 'replay';
  /** True: a success sets or clears the browser's session cookie. */
  readonly setsCookie?: boolean;
  /** True: responses must never be cached or stored, because they contain a secret. */
  readonly noStore?: boolean;
  /** Errors in addition to those of every operation with this `auth`. */
  readonly errors: readonly ErrorCode[];
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
export type ParamsOf<C extends RouteContract> = OutputOf<C['params']>;
export type QueryOf<C extends RouteContract> = OutputOf<C['query']>;
export type BodyOf<C extends RouteContract> = OutputOf<C['body']>;

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const sizeOf = (bytes: number): string => (bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`);
/** Default body limit of an operation. */
export const DEFAULT_BODY_LIMIT = 64 * KIB;
/** Body bytes per rate-limit token, rounded up; the request itself pays for the first token. */
export const BYTES_PER_RATE_TOKEN = 512 * KIB;

/** Returns the contract with schemas that refuse unknown names. */
export function defineRoute<const C extends RouteContract>(contract: C): C {
  const { query, body, unknownFields } = contract;
  return {
    ...contract,
    ...(query === undefined ? {} : { query: strict(query) }),
    ...(body === undefined || unknownFields === 'dropped' ? {} : { body: strict(body) }),
  };
}

/** Surfaces of an operation; a listener with any of them serves it. */
export const surfacesOf = ({ auth, surfaces }: RouteContract): readonly Surface[] =>
  surfaces ?? [auth === 'internal' ? 'internal' : 'client'];

export const EVENT_STREAM = 'text/event-stream';

/** Whether a success response continues until the client or the server ends it. */
export const isEndless = ({ mediaTypes }: RouteContract): boolean => mediaTypes?.[0] === EVENT_STREAM;

/** Whether a listener with these surfaces serves the operation. */
export const isServedOn = (listener: readonly Surface[], contract: RouteContract): boolean =>
  surfacesOf(contract).some((surface) => listener.includes(surface));

/** Whether a request with a session must carry `x-csrf-token`, because browsers send the cookie automatically. */
export const needsCsrfToken = ({ auth, method }: RouteContract): boolean =>
  (auth === 'key' || auth === 'session') && method !== 'GET';

const COMMON: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'URI_TOO_LONG',
  'HOST_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
];
const BY_AUDIENCE: Readonly<Record<Audience, readonly ErrorCode[]>> = {
  key: ['MISSING_KEY', 'INVALID_KEY', 'INVALID_SESSION', 'RATE_LIMITED', 'UNAVAILABLE', 'DATA_DAMAGED'],
  session: [
    'MISSING_SESSION',
    'INVALID_SESSION',
    'INVALID_KEY',
    'SESSION_REQUIRED',
    'RATE_LIMITED',
    'UNAVAILABLE',
    'DATA_DAMAGED',
  ],
  internal: ['INVALID_INTERNAL_SECRET', 'RATE_LIMITED', 'UNAVAILABLE', 'DATA_DAMAGED'],
  auditor: [
    'MISSING_AUDITOR_TOKEN',
    'INVALID_AUDITOR_TOKEN',
    'PERMISSION_NOT_GRANTED',
    'CUSTOMER_NOT_GRANTED',
    'RATE_LIMITED',
    'AUDITOR_CALLS_REACHED',
    'UNAVAILABLE',
    'DATA_DAMAGED',
  ],
  none: ['RATE_LIMITED'],
};

/** Served whatever the state of the service's stores. */
export const ALWAYS_SERVED: readonly string[] = ['/health/live', '/health/ready', '/metrics'];

/** Every error code that an operation may return. */
export function errorCodesOf(contract: RouteContract): ErrorCode[] {
  const codes = new Set<ErrorCode>([...COMMON, 'UNSUPPORTED_MEDIA_TYPE', ...BY_AUDIENCE[contract.auth]]);
  if (!ALWAYS_SERVED.includes(contract.path)) codes.add('STATE_OLDER');
  if (contract.method !== 'GET')
    for (const code of ['REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'BODIES_BUSY'] as const) codes.add(code);
  if (needsCsrfToken(contract)) codes.add('CSRF');
  if (contract.body) codes.add('INVALID_JSON');
  if (contract.costly !== undefined) codes.add('TOO_MANY_AT_ONCE');
  if (contract.idempotent)
    for (const code of [
      'IDEMPOTENCY_IN_FLIGHT',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_BUDGET_REACHED',
    ] as const)
      codes.add(code);
  for (const code of contract.errors) codes.add(code);
  return [...codes];
}
