import { type OutgoingProxies, proxyOf } from './proxies.ts';
import { ProxyFault, proxyFaultOf } from './proxy-fault.ts';

export type OutgoingFetch = (target: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` through the proxy that a target has. Where the proxy cannot be used, the cause of the rejection is a
 * `ProxyFault`.
 */
export function outgoingFetch(proxies: OutgoingProxies): OutgoingFetch {
  const dispatchers = proxyDispatchers();
  return async (target, init) => {
    const url = new URL(target);
    const proxy = proxyOf(proxies, url);
    if (proxy === null) return fetch(url, init);
    // The runtime's own `fetch` takes no dispatcher of another release of the library.
    const { fetch: fetchThrough } = await import('undici');
    const dispatcher = await dispatchers(proxy, url);
    try {
      const given = { ...init, dispatcher } as Parameters<typeof fetchThrough>[1];
      return (await fetchThrough(url, given)) as unknown as Response;
    } catch (error) {
      const fault = proxyFaultOf(error, proxy, url);
      throw fault === null ? error : new TypeError('fetch failed', { cause: fault });
    }
  };
}

/** A dispatcher for each proxy and way of using it, made when it is first needed. */
export function proxyDispatchers() {
  const made = new Map<string, Promise<import('undici').Dispatcher>>();
  return (proxy: string, { protocol }: URL): Promise<import('undici').Dispatcher> => {
    // A tunnel for https alone: many proxies refuse one to a port of http.
    const proxyTunnel = protocol === 'https:';
    const key = `${proxyTunnel} ${proxy}`;
    const found =
      made.get(key) ?? import('undici').then(({ ProxyAgent }) => new ProxyAgent({ uri: proxy, proxyTunnel }));
    made.set(key, found);
    return found;
  };
}

/** Why no answer came, for people: of a proxy its address without user and password. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (cause instanceof ProxyFault) return cause.message;
  return (cause as { code?: string } | undefined)?.code ?? message;
}
