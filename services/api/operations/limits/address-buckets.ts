import { isIPv6 } from 'node:net';

/** Maximum number of addresses kept; the least recently seen is evicted first, and starts again with a full bucket. */
const MAX_ADDRESSES = 10_000;

interface AddressBuckets {
  /** Takes a token from the address's bucket; false if it is empty. */
  take(address: string): boolean;
}

/**
 * A token bucket per client address: `burst` at once, `perSecond` sustained. An IPv6 household or host has 2^64
 * addresses, so its /64 network counts instead. `now`: Unix ms.
 */
export function createAddressBuckets(
  { perSecond, burst }: { readonly perSecond: number; readonly burst: number },
  now: () => number,
): AddressBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take: (address) => {
      const at = now();
      const network = networkOf(address);
      const bucket = buckets.get(network) ?? { tokens: burst, at };
      const refilled = bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * perSecond;
      const tokens = Math.min(burst, refilled);
      const isThere = tokens >= 1;
      buckets.delete(network);
      buckets.set(network, { tokens: isThere ? tokens - 1 : tokens, at });
      if (buckets.size > MAX_ADDRESSES) buckets.delete(buckets.keys().next().value as string);
      return isThere;
    },
  };
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The address itself, or the first half of an IPv6 address; an IPv4-mapped IPv6 address counts as IPv4. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.split('%', 1)[0]!.toLowerCase();
  const last = plain.slice(plain.lastIndexOf(':') + 1);
  if (last.includes('.')) return plain.startsWith('::ffff:') ? last : plain;
  const [head = '', tail] = plain.split('::');
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [first, rest] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = tail === undefined ? 0 : GROUPS - first.length - rest.length;
  const all = [...first, ...Array<string>(missing).fill('0'), ...rest];
  return all
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** The neighbourhood of a `networkOf` result: /24 for IPv4, /48 for IPv6, which a single site may have. */
export function neighbourhoodOf(network: string): string {
  const separator = network.includes(':') ? ':' : '.';
  return network.slice(0, Math.max(0, network.lastIndexOf(separator))) + separator;
}
