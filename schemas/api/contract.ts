import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

export type Audience = 'key' | 'internal' | 'none';

/** What an operation belongs to: a listener serves some of these and does not know the paths of the others. */
export const SURFACES = ['client', 'internal', 'operation'] as const;
export type Surface = (typeof SURFACES)[number];

/**
 * One operation of the HTTP interface: the server, its tests and the OpenAPI description are all made from it.
 * Path parameters are written `:name`. `params`, `query` and `body` say what may come in; `responses` holds the
 * answers that are no errors, by status. Objects of answers drop unknown fields, so that additions break no client.
 */
export interface RouteContract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** More for somebody who reads of the operation for the first time, in Markdown. */
  readonly description?: string;
  readonly tag: string;
  readonly auth: Audience;
  /** Default: `internal` for that audience, `client` for every other. */
  readonly surfaces?: readonly Surface[];
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Larger bodies are answered with 413. */
  readonly bodyLimitBytes?: number;
  /** Media types that the body may have (default: JSON alone). */
  readonly bodyTypes?: readonly string[];
  /** True: `body` only describes what is sent; the handler reads the bytes itself, for it answers item by item. */
  readonly rawBody?: boolean;
  /** True: the operation takes an Idempotency-Key. */
  readonly idempotent?: boolean;
  /** Status of a success when there is one only; a handler of several names it. */
  readonly successStatus: number;
  readonly responses: Readonly<Record<number, z.ZodType>>;
  /** Media types of a success when it is not JSON; the first one unless the handler names another. */
  readonly mediaTypes?: readonly string[];
  /** Trailers of a success, with what each holds. */
  readonly trailers?: Readonly<Record<string, string>>;
  /** Statuses that may carry Retry-After because a part of what was asked for is to be sent again. */
  readonly retryAfter?: readonly number[];
  /** What costs the warehouse or memory much: customers take turns at it, and little goes on at once. */
  readonly costly?: 'read' | 'verification' | 'replay';
  /** True: answers are never to be stored by anybody (they show a secret). */
  readonly noStore?: boolean;
  /** Errors beside those that every operation of this audience has. */
  readonly errors: readonly ErrorCode[];
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
export type ParamsOf<C extends RouteContract> = OutputOf<C['params']>;
export type QueryOf<C extends RouteContract> = OutputOf<C['query']>;
export type BodyOf<C extends RouteContract> = OutputOf<C['body']>;

export const KIB = 1024;
export const MIB = 1024 * KIB;
/** Largest body of an operation that names no other limit. */
export const DEFAULT_BODY_LIMIT = 64 * KIB;
/** Started portions of a body of so many bytes cost a token of the rate limit each, the first one its request's. */
export const BYTES_PER_RATE_TOKEN = 512 * KIB;

export const defineRoute = <const C extends RouteContract>(contract: C): C => contract;

/** What an operation belongs to; of several, any one is enough to serve it. */
export const surfacesOf = ({ auth, surfaces }: RouteContract): readonly Surface[] =>
  surfaces ?? [auth === 'internal' ? 'internal' : 'client'];

/** Whether a listener of these surfaces serves the operation. */
export const isServedOn = (listener: readonly Surface[], contract: RouteContract): boolean =>
  surfacesOf(contract).some((surface) => listener.includes(surface));

const COMMON: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'URI_TOO_LONG',
  'HOST_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
];
const BY_AUDIENCE: Readonly<Record<Audience, readonly ErrorCode[]>> = {
  key: ['MISSING_KEY', 'INVALID_KEY', 'RATE_LIMITED', 'UNAVAILABLE'],
  internal: ['INVALID_INTERNAL_SECRET', 'RATE_LIMITED', 'UNAVAILABLE'],
  none: ['RATE_LIMITED'],
};

/** Every error code that an operation may answer with. */
export function errorCodesOf(contract: RouteContract): ErrorCode[] {
  const codes = new Set<ErrorCode>([...COMMON, 'UNSUPPORTED_MEDIA_TYPE', ...BY_AUDIENCE[contract.auth]]);
  if (contract.method !== 'GET')
    for (const code of ['REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'BODIES_BUSY'] as const) codes.add(code);
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
