import { BlockList, isIP } from 'node:net';

/** The proxies for requests to other hosts. */
export interface OutgoingProxies {
  /** Address of the proxy for http; null for none. It may contain a user and a password. */
  readonly http: string | null;
  readonly https: string | null;
  /** Targets without a proxy: entries of NO_PROXY. */
  readonly except: readonly string[];
}

export const NO_PROXIES: OutgoingProxies = { http: null, https: null, except: [] };

/**
 * Address of the proxy for a target; null: call the target directly. This machine itself is never called through a
 * proxy.
 */
export function proxyOf({ http, https, except }: OutgoingProxies, target: URL): string | null {
  const proxy = target.protocol === 'https:' ? https : http;
  if (proxy === null) return null;
  const host = target.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  return isLoopback(host) || except.some((entry) => names(entry, host, port)) ? null : proxy;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isIn(LOOPBACK, host);

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const isIn = (list: BlockList, host: string): boolean => isIP(host) !== 0 && list.check(host, familyOf(host));

/** `host`, `host:port`, `[IPv6]:port`; the port is optional. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/;

/**
 * Whether an entry of NO_PROXY matches a host. An entry is `*`, a domain including its subdomains, an address, or a
 * network.
 */
function names(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [network = '', bits] = entry.split('/');
  if (bits !== undefined) return isNetwork(network, bits) && isIn(networkOf(network, Number(bits)), host);
  if (isIP(entry) === 6) return isIn(networkOf(entry, 128), host);
  const [, bracketed, plain, only] = WITH_PORT.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const named = (bracketed ?? plain ?? '').toLowerCase().replace(/^\*?\.|\.$/g, '');
  if (named === '') return false;
  if (isIP(named) !== 0) return isIn(networkOf(named, isIP(named) === 6 ? 128 : 32), host);
  return host === named || host.endsWith(`.${named}`);
}

const isNetwork = (network: string, bits: string): boolean =>
  isIP(network) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(network) === 6 ? 128 : 32);

function networkOf(address: string, bits: number): BlockList {
  const list = new BlockList();
  list.addSubnet(address, bits, familyOf(address));
  return list;
}
