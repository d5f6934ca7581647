import type { Dispatcher } from 'undici';
import { proxyDispatchers } from './outgoing-fetch.ts';
import { type OutgoingProxies, proxyOf } from './proxies.ts';
import { proxyFaultOf } from './proxy-fault.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * A GET through the target's proxy. Its answer may take any time and includes trailers, which `fetch` hides. When the
 * proxy cannot be used, the rejection's cause is a `ProxyFault`.
 */
export async function outgoingRequest(
  proxies: OutgoingProxies,
  target: string,
  headers: Headers,
): Promise<Dispatcher.ResponseData> {
  const { Agent, request } = await import('undici');
  const url = new URL(target);
  const proxy = proxyOf(proxies, url);
  const dispatcher = proxy === null ? new Agent() : await proxyDispatchers()(proxy, url);
  try {
    return await request(url, { headers, dispatcher, headersTimeout: 0, bodyTimeout: 0 });
  } catch (error) {
    const fault = proxy === null ? null : proxyFaultOf(error, proxy, url);
    throw fault === null ? error : new Error('the request failed', { cause: fault });
  }
}
