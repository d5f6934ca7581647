import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { listOf } from './setting-schemas.ts';

/** An IP address, or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The proxies in front of the service, and the names under which clients reach it. */
export const PROXY_SETTINGS = {
  TRUSTED_PROXIES: {
    description:
      'Reverse proxies in front of the API: IP addresses or networks (10.0.0.0/8), separated by commas. For requests from them, the last address in X-Forwarded-For that is not a trusted proxy counts for limits per address, and X-Forwarded-Proto https adds Strict-Transport-Security and Secure cookies. Otherwise these headers are ignored.',
    byDefault: 'none',
    schema: listOf(
      z.string().refine((value) => value.split(',').every(isNetwork), {
        error: 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
      }),
    ).optional(),
  },
  ALLOWED_HOSTS: {
    description:
      'Host names that the service responds to, without ports, separated by commas. localhost and IP addresses are always allowed. Other names get 421, which protects against DNS rebinding. Add the name that a proxy on this machine forwards.',
    byDefault: 'none if HOST is loopback, otherwise any name',
    schema: listOf(
      z.string().regex(/^[A-Za-z0-9_.-]{1,253}(,[A-Za-z0-9_.-]{1,253}){0,99}$/, {
        error: 'must be host names without ports, separated by commas',
      }),
    ).optional(),
  },
} as const;

/** Whether an address belongs to a proxy that the setting names. */
export function proxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const one of trusted) {
    const [address = '', bits] = one.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
