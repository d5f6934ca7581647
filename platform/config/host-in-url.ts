import { isIP } from 'node:net';

/** A host as it is written in a URL: an IPv6 address in brackets. */
export const hostInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Addresses that mean every interface, by the one under which this machine reaches them. */
const THIS_MACHINE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Address of a server that listens there, for a client on this machine. */
export const localUrl = (host: string, port: number): string =>
  `http://${hostInUrl(THIS_MACHINE[host] ?? host)}:${port}`;
