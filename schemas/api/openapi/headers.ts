import type { RouteContract } from '../contract.ts';
import type { Json } from './json-schema.ts';

const integer = { type: 'integer', minimum: 0 } as const;

/** Response headers, each described once. */
const HEADERS = {
  'X-RateLimit-Limit': {
    description: 'Burst size: maximum number of requests at once.',
    schema: { ...integer, examples: [500] },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left at the moment.',
    schema: { ...integer, examples: [499] },
  },
  'X-RateLimit-Reset': {
    description: 'Unix time in seconds when the full burst is available again.',
    schema: { ...integer, examples: [1795305600] },
  },
  'RateLimit-Policy': {
    description: 'The limit as in the IETF draft: q is the burst size, w the seconds until it is full again.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$', examples: ['"default";q=500;w=5'] },
  },
  RateLimit: {
    description: 'r is the number of requests left, t the seconds until the full burst is available.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$', examples: ['"default";r=499;t=1'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1, examples: [1] },
  },
  'Idempotent-Replayed': {
    description:
      'Present if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Accept-Encoding': {
    description: 'Supported Content-Encodings, if the request used another one.',
    schema: { type: 'string', examples: ['gzip, identity'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string', enum: ['Bearer'] },
  },
  'Set-Cookie': {
    description: 'Sets the session cookie; clears it after signing out.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'no-store if the response contains a secret or scanned text; otherwise private.',
    schema: { type: 'string', enum: ['no-store', 'private, no-cache'] },
  },
  'X-As-Of': {
    description: 'Send as `asOf`, together with X-Tree-Size, to get the same file again.',
    schema: { type: 'string', format: 'date-time' },
  },
  'X-Tree-Size': {
    description: 'Send as `treeSize` to get the same file again.',
    schema: integer,
  },
} as const satisfies Record<string, Json>;

type HeaderName = keyof typeof HEADERS;

const RATE: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

/** Statuses returned without reading the caller's bucket, and those that may be. */
const WITHOUT_BUCKET = [408, 414, 421, 431];
/** Includes 401, because a customer may be erased after its key was accepted. */
const MAYBE_WITHOUT_BUCKET = [401, 429, 500, 503];

/** Headers that are optional in every response. */
const ONLY_SOMETIMES = ['Idempotent-Replayed', 'Accept-Encoding'];
const OPTIONAL = '.optional';
/** Headers that are never optional. */
const ALWAYS_THERE = ['Cache-Control', 'WWW-Authenticate', 'Set-Cookie', 'X-As-Of', 'X-Tree-Size'];

/** The headers as components; a header that is optional in some responses has a second component. */
export function headerComponents(): Json {
  const required = Object.entries(HEADERS).filter(([name]) => !ONLY_SOMETIMES.includes(name));
  const optional = Object.entries(HEADERS).filter(([name]) => !ALWAYS_THERE.includes(name));
  return Object.fromEntries([
    ...required.map(([name, header]) => [name, { ...header, required: true }]),
    ...optional.map(([name, header]) => [`${name}${OPTIONAL}`, header]),
  ]);
}

/** Headers of an operation's response with this status. */
export function headersOf(contract: RouteContract, status: number): { readonly headers?: Json } {
  const headers: Record<string, Json> = {};
  const add = (names: readonly HeaderName[], suffix = ''): void => {
    for (const name of names) headers[name] = { $ref: `#/components/headers/${name}${suffix}` };
  };
  const hasBucket = contract.auth !== 'none' && contract.auth !== 'internal';
  if (hasBucket && !WITHOUT_BUCKET.includes(status))
    add(RATE, MAYBE_WITHOUT_BUCKET.includes(status) ? OPTIONAL : '');
  if (contract.auth === 'auditor' && status === 401) add(['WWW-Authenticate']);
  if (status === 415) add(['Accept-Encoding'], OPTIONAL);
  if (status === 429 || (status === 503 && contract.responses[503] === undefined)) add(['Retry-After']);
  const maybeLater = (status === 409 && contract.idempotent) || contract.retryAfter?.includes(status);
  if (maybeLater) add(['Retry-After'], OPTIONAL);
  if (status < 300 && contract.idempotent) add(['Idempotent-Replayed'], OPTIONAL);
  if (status < 300 && contract.setsCookie) add(['Set-Cookie']);
  if (status < 300) add(contract.headers ?? []);
  if (status < 300 && (contract.auth !== 'none' || contract.noStore)) add(['Cache-Control']);
  return Object.keys(headers).length === 0 ? {} : { headers };
}
