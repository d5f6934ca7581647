import type { Settings } from '#platform/config/settings.ts';
import type { OutgoingProxies } from '#platform/outgoing/proxies.ts';
import { type Client, createClient, RequestFailed, serviceUrl } from './client.ts';

/** How to reach the service as a customer. */
interface CustomerAccess {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxies: OutgoingProxies;
}

/** Appears in the help of commands that need it. */
export const NEEDS_KEY = 'Needs an API key of the customer in CAS_API_KEY.';

/** `url` and `key` from the command line; otherwise from the settings. */
export function customerAccess(
  settings: Settings,
  url = serviceUrl(settings),
  key = settings.apiKey,
): CustomerAccess {
  if (key === null)
    throw new RequestFailed(
      'No API key. Set CAS_API_KEY (or CAS_API_KEY_FILE) to a key of the customer; "cas keys create" creates one',
      null,
      null,
    );
  return { baseUrl: url, headers: { [settings.keyHeader]: key }, proxies: settings.proxies };
}

/** Client of the customer's own API, which needs the customer's key, not the internal secret. */
export function customerClient(settings: Settings, url?: string): Client {
  const { baseUrl, headers, proxies } = customerAccess(settings, url);
  return createClient(baseUrl, headers, proxies);
}
