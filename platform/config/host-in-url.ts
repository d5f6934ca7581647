import { isIP } from 'node:net';

/** A host in URL syntax: an IPv6 address is in brackets. */
export const hostInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Addresses that mean every interface, with the address by which this machine reaches them. */
const THIS_MACHINE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** URL of a server listening there, for a client on this machine. */
export const localUrl = (host: string, port: number): string =>
  `http://${hostInUrl(THIS_MACHINE[host] ?? host)}:${port}`;
