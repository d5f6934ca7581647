import type { InjectOptions } from 'fastify';

/** Typical mistakes of new users: the request, the response before 0.1.0, and the response now. */

export interface Mistake {
  readonly what: string;
  readonly request: InjectOptions;
  /** Credentials of the request (default: a customer's key). */
  readonly by?: 'nobody' | 'platform';
  readonly before: string;
  readonly after: string;
}

export const TRIPLET = {
  sandboxSlug: 'customer-support',
  provider: 'openai',
  model: 'gpt-5',
  prompt: 'Hello',
  response: 'Hi',
};
export const SANDBOX = { name: 'One', slug: 'one', sandboxType: 'FULL_SPECTRUM' };

export const get = (url: string, headers: Record<string, string> = {}): InjectOptions => ({
  method: 'GET',
  url,
  headers,
});
export const post = (
  url: string,
  payload: object | string,
  headers: Record<string, string> = {},
): InjectOptions => ({
  method: 'POST',
  url,
  payload,
  headers: { ...(typeof payload === 'string' ? { 'content-type': 'application/json' } : {}), ...headers },
});
export const ingest = (payload: object | string, headers: Record<string, string> = {}): InjectOptions =>
  post('/audit/ingest', payload, headers);
export const { prompt: _prompt, ...WITHOUT_PROMPT } = TRIPLET;
export const { sandboxSlug: _slug, ...WITHOUT_SLUG } = TRIPLET;
