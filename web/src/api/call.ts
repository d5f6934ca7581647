import {
  type AnswerOf,
  type AnyRequest,
  type Endpoint,
  type Sent,
  targetOf,
} from '#schemas/api/openapi/request.ts';
import { createSession } from '#schemas/endpoints.ts';
import { BASE_PATH } from '../address/base-path.ts';
import { faultOf, noAnswer } from './fault.ts';

/** How often a rate-limited call (429) is retried, and its longest wait. */
const MAX_REPEATS = 3;
const MAX_WAIT_SECONDS = 10;

/** Options of a call beyond its contract. */
interface Extras {
  /** Makes it safe to retry the same submit. */
  readonly idempotencyKey?: string;
  /** Record version that the change is based on: rejected when a newer one exists. */
  readonly ifMatch?: number;
  readonly signal?: AbortSignal;
}

/** The types of `Api` have already checked it against its contract. */
type AnySent = AnyRequest & Extras;

/** Access with a token instead of a session. */
export interface AuditorAccess {
  readonly token: string;
  /** Selects the customer when the token covers several. */
  readonly customerId?: string;
}

/** Makes all calls to the service. */
export interface Api {
  /** Throws `Fault`. */
  call<E extends Endpoint>(endpoint: E, ...sent: Sent<E, Extras>): Promise<AnswerOf<E>>;
  /** Downloads a file. Throws `Fault`. */
  download<E extends Endpoint>(endpoint: E, ...sent: Sent<E, Extras>): Promise<Blob>;
  /** Proves that a change was made by this page; changes with a session need it. */
  setCsrfToken(token: string | null): void;
  /** The same service with this token instead of the session. `onRefused`: the token is not, or no longer, valid. */
  asAuditor(access: AuditorAccess, onRefused: () => void): Api;
}

interface ApiOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Resolves after this time, or rejects when the signal fires. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called when the session has ended. */
  readonly onSignedOut: () => void;
  /** Used instead of the session. */
  readonly auditor?: AuditorAccess;
}

/** Address of a call, also for what the browser loads by itself. */
export const addressOf = <E extends Endpoint>(endpoint: E, ...sent: Sent<E>): string =>
  BASE_PATH + targetOf(endpoint, ...sent);

/** Headers of every call, when a token replaces the cookie. */
const headersOf = (auditor: AuditorAccess | undefined): Record<string, string> =>
  auditor === undefined ? {} : { authorization: `Bearer ${auditor.token}` };

export function createApi(options: ApiOptions): Api {
  const { fetch, wait, onSignedOut, auditor } = options;
  let csrfToken: string | null = null;
  const send = async (endpoint: Endpoint, sent: AnySent): Promise<Response> => {
    const { method } = endpoint;
    const headers: Record<string, string> = { accept: 'application/json', ...headersOf(auditor) };
    if (sent.body !== undefined) headers['content-type'] = 'application/json';
    if (method !== 'GET' && csrfToken !== null) headers['x-csrf-token'] = csrfToken;
    if (sent.idempotencyKey !== undefined) headers['idempotency-key'] = sent.idempotencyKey;
    if (sent.ifMatch !== undefined) headers['if-match'] = `"${sent.ifMatch}"`;
    const query = { ...sent.query, customerId: auditor?.customerId };
    try {
      return await fetch(BASE_PATH + targetOf<Endpoint>(endpoint, { params: sent.params, query }), {
        method,
        headers,
        credentials: auditor === undefined ? 'same-origin' : 'omit',
        ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
        ...(sent.signal === undefined ? {} : { signal: sent.signal }),
      });
    } catch (error) {
      if (sent.signal?.aborted) throw error;
      throw noAnswer();
    }
  };
  /** The response of a successful call. */
  const succeeded = async (endpoint: Endpoint, sent: AnySent): Promise<Response> => {
    for (let repeats = 0; ; repeats += 1) {
      const response = await send(endpoint, sent);
      if (response.ok) return response;
      const body: unknown = await response.json().catch(() => null);
      // For session calls a 401 does not mean that a session has ended.
      if (response.status === 401 && !endpoint.path.startsWith(createSession.path)) onSignedOut();
      if (response.status !== 429 || repeats >= MAX_REPEATS) throw faultOf(response.status, body);
      const seconds = Number(response.headers.get('retry-after') ?? '1');
      await wait(Math.min(Number.isFinite(seconds) ? seconds : 1, MAX_WAIT_SECONDS) * 1_000, sent.signal);
    }
  };
  /** The response may be cut off, or be invalid. */
  const read = async <Read>(
    reading: Promise<Read | null>,
    signal: AbortSignal | undefined,
  ): Promise<Read> => {
    const body = await reading.catch((error: unknown) => {
      if (signal?.aborted) throw error;
      return null;
    });
    if (body === null) throw noAnswer();
    return body;
  };
  return {
    call: async <E extends Endpoint>(endpoint: E, sent: AnySent = {}) => {
      const response = await succeeded(endpoint, sent);
      if (response.status === 204) return undefined as AnswerOf<E>;
      return read(response.json() as Promise<AnswerOf<E> | null>, sent.signal);
    },
    download: async (endpoint: Endpoint, sent: AnySent = {}) => {
      const response = await succeeded(endpoint, sent);
      return read(response.blob(), sent.signal);
    },
    setCsrfToken: (token) => {
      csrfToken = token;
    },
    asAuditor: (access, onRefused) => createApi({ ...options, auditor: access, onSignedOut: onRefused }),
  };
}
