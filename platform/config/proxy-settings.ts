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
      'Proxies in front of the API: addresses or networks (10.0.0.0/8), comma-separated. Of a request that comes from one, limits per address count the last address in X-Forwarded-For that is none of them, and X-Forwarded-Proto https makes every answer carry Strict-Transport-Security, and cookies Secure. Without it the address of the connection counts, and these headers are not looked at.',
    byDefault: 'none',
    schema: listOf(
      z.string().refine((value) => value.split(',').every(isNetwork), {
        error: 'must be addresses or networks such as 10.0.0.0/8, comma-separated',
      }),
    ).optional(),
  },
  ALLOWED_HOSTS: {
    description:
      'Names under which the service answers, without ports, comma-separated, beside localhost and addresses. Others get 421, so that no page in a browser on this machine reads what needs no key under a name of its own (DNS rebinding). Give the name under which a proxy on this machine passes requests on.',
    byDefault: 'only localhost and addresses where HOST is loopback, else any name',
    schema: listOf(
      z.string().regex(/^[A-Za-z0-9_.-]{1,253}(,[A-Za-z0-9_.-]{1,253}){0,99}$/, {
        error: 'must be host names without ports, comma-separated',
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
