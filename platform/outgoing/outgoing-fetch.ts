import { type OutgoingProxies, proxyOf } from './proxies.ts';
import { ProxyFault, proxyFaultOf } from './proxy-fault.ts';

export type OutgoingFetch = (target: string | URL, init?: RequestInit) => Promise<Response>;

/** `fetch` through the target's proxy. When the proxy cannot be used, the rejection's cause is a `ProxyFault`. */
export function outgoingFetch(proxies: OutgoingProxies): OutgoingFetch {
  const dispatchers = proxyDispatchers();
  return async (target, init) => {
    const url = new URL(target);
    const proxy = proxyOf(proxies, url);
    if (proxy === null) return fetch(url, init);
    // The runtime's own `fetch` does not accept a dispatcher from another release of the library.
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

/** A dispatcher per proxy and mode (with or without a tunnel), created on first use. */
export function proxyDispatchers() {
  const made = new Map<string, Promise<import('undici').Dispatcher>>();
  return (proxy: string, { protocol }: URL): Promise<import('undici').Dispatcher> => {
    // Tunnel only https: many proxies refuse a tunnel to an http port.
    const proxyTunnel = protocol === 'https:';
    const key = `${proxyTunnel} ${proxy}`;
    const found =
      made.get(key) ?? import('undici').then(({ ProxyAgent }) => new ProxyAgent({ uri: proxy, proxyTunnel }));
    made.set(key, found);
    return found;
  };
}

/** Why there was no answer, for people. A proxy's address is shown without user and password. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (cause instanceof ProxyFault) return cause.message;
  return (cause as { code?: string } | undefined)?.code ?? message;
}
