import type { z } from 'zod';
import type { RouteContract } from '#schemas/api/contract.ts';
import { faultOf, noAnswer } from './fault.ts';

/** How often a call that came too early (429) is sent again, and how long it waits at most. */
const MAX_REPEATS = 3;
const MAX_WAIT_SECONDS = 10;

/** What a contract's success answers. */
export type AnswerOf<C extends RouteContract> = z.output<C['responses'][C['successStatus']] & z.ZodType>;

export type Query = Readonly<Record<string, string | number | undefined>>;

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
  /** Makes a repeat of the same submit safe. */
  readonly idempotencyKey?: string;
  /** Version of the record that the change was decided on: refused where there is a newer one. */
  readonly ifMatch?: number;
  readonly signal?: AbortSignal;
}

/** Calls the service: the only place that does. */
export interface Api {
  /** Throws `Fault`. */
  call<C extends RouteContract>(path: string, sent?: Sent): Promise<AnswerOf<C>>;
  /** Proves that a change was made by this page; changes with a session need it. */
  setCsrfToken(token: string | null): void;
}

interface ApiOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Resolves after that time, or rejects when the signal fires. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The session has ended. */
  readonly onSignedOut: () => void;
}

export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Calls that tell that nobody is signed in without meaning that a session has ended. */
const SESSION_PATH = '/sessions';

export function createApi({ fetch, wait, onSignedOut }: ApiOptions): Api {
  let csrfToken: string | null = null;
  const send = async (path: string, sent: Sent): Promise<Response> => {
    const headers: Record<string, string> = { accept: 'application/json' };
    const method = sent.method ?? 'GET';
    if (sent.body !== undefined) headers['content-type'] = 'application/json';
    if (method !== 'GET' && csrfToken !== null) headers['x-csrf-token'] = csrfToken;
    if (sent.idempotencyKey !== undefined) headers['idempotency-key'] = sent.idempotencyKey;
    if (sent.ifMatch !== undefined) headers['if-match'] = `"${sent.ifMatch}"`;
    try {
      return await fetch(addressOf(path, sent.query), {
        method,
        headers,
        credentials: 'same-origin',
        ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
        ...(sent.signal === undefined ? {} : { signal: sent.signal }),
      });
    } catch (error) {
      if (sent.signal?.aborted) throw error;
      throw noAnswer();
    }
  };
  const answered = async (path: string, sent: Sent): Promise<unknown> => {
    for (let repeats = 0; ; repeats += 1) {
      const response = await send(path, sent);
      if (response.status === 204) return undefined;
      const body: unknown = await response.json().catch(() => null);
      if (response.ok && body !== null) return body;
      if (response.status === 401 && !path.startsWith(SESSION_PATH)) onSignedOut();
      if (response.status !== 429 || repeats >= MAX_REPEATS)
        throw response.ok ? noAnswer() : faultOf(response.status, body);
      const seconds = Number(response.headers.get('retry-after') ?? '1');
      await wait(Math.min(Number.isFinite(seconds) ? seconds : 1, MAX_WAIT_SECONDS) * 1_000, sent.signal);
    }
  };
  return {
    call: async <C extends RouteContract>(path: string, sent: Sent = {}) =>
      (await answered(path, sent)) as AnswerOf<C>,
    setCsrfToken: (token) => {
      csrfToken = token;
    },
  };
}
