import { outgoingFetch } from '#platform/outgoing/outgoing-fetch.ts';
import type { OutgoingProxies } from '#platform/outgoing/proxies.ts';
import { ProxyFault } from '#platform/outgoing/proxy-fault.ts';

/** How a call failed. `PROXY`: the proxy does not answer, or refused the connection. */
type CallFault =
  | 'UNREACHABLE'
  | 'PROXY'
  | 'TIMEOUT'
  | 'RATE_LIMITED'
  | 'SERVER_ERROR'
  | 'UNAUTHORIZED'
  | 'NOT_FOUND'
  | 'REDIRECTED'
  | 'REJECTED'
  | 'TOO_LARGE';

/** A failed call. Contains nothing that was sent or received. */
export class CallFailure extends Error {
  readonly fault: CallFault;
  /** How long the endpoint asks callers to wait, ms; null when it does not say. */
  readonly retryAfterMs: number | null;
  constructor(fault: CallFault, retryAfterMs: number | null = null) {
    super(`the call failed: ${fault}`);
    this.name = 'CallFailure';
    this.fault = fault;
    this.retryAfterMs = retryAfterMs;
  }
}

/** True for faults of the endpoint or the network; false for faults of the text. */
export const concernsEndpoint = (fault: CallFault): boolean => fault !== 'REJECTED' && fault !== 'TOO_LARGE';

export interface Message {
  readonly role: 'system' | 'user';
  readonly content: string;
}

interface ChatOptions {
  /** Up to but excluding `/chat/completions`; a query after `?` is kept. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
  /** Additional fields of each request. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly proxies: OutgoingProxies;
}

export interface ChatClient {
  /** Response body, a text of at most 64 KiB. Rejects with `CallFailure`, or with the signal's reason. */
  complete(messages: readonly Message[], timeoutMs: number, signal?: AbortSignal): Promise<string>;
}

const MAX_ANSWER_BYTES = 65_536;

/** Client of an endpoint that speaks OpenAI's chat completions API. */
export function chatClient({ url, model, apiKey, parameters, proxies }: ChatOptions): ChatClient {
  const send = outgoingFetch(proxies);
  const target = new URL(url);
  target.pathname = `${target.pathname.replace(/\/+$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };

  const post = async (body: string, signal: AbortSignal): Promise<string> => {
    // A redirect could send the texts and the key anywhere.
    const response = await send(target, { method: 'POST', headers, body, signal, redirect: 'manual' });
    if (response.status === 200) return readLimited(response);
    await response.body?.cancel();
    throw new CallFailure(faultOfStatus(response.status), retryAfterMs(response.headers.get('retry-after')));
  };

  return {
    complete: async (messages, timeoutMs, signal) => {
      signal?.throwIfAborted();
      const body = JSON.stringify({ ...parameters, model, messages, stream: false });
      const ending = new AbortController();
      const late = new CallFailure('TIMEOUT');
      const timer = setTimeout(() => ending.abort(late), timeoutMs);
      const onAbort = (): void => ending.abort(signal?.reason);
      signal?.addEventListener('abort', onAbort);
      try {
        return await post(body, ending.signal).catch((error: unknown) => {
          // The other side closed the keep-alive connection meanwhile: retries the call once, on a new connection.
          if (ending.signal.aborted || !wasReset(error)) throw error;
          return post(body, ending.signal);
        });
      } catch (error) {
        if (ending.signal.aborted) throw ending.signal.reason;
        if (error instanceof CallFailure) throw error;
        throw new CallFailure((error as Error).cause instanceof ProxyFault ? 'PROXY' : 'UNREACHABLE');
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new CallFailure('TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function faultOfStatus(status: number): CallFault {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 401 || status === 403) return 'UNAUTHORIZED';
  if (status === 404 || status === 405) return 'NOT_FOUND';
  if (status >= 300 && status < 400) return 'REDIRECTED';
  return status >= 400 && status < 500 && status !== 408 ? 'REJECTED' : 'SERVER_ERROR';
}

function retryAfterMs(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null;
}

function wasReset(error: unknown): boolean {
  const code = ((error as Error).cause as { code?: unknown } | undefined)?.code;
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}
