import { isIP } from 'node:net';

/** Whether a server listening on this host can be reached only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Whether the service may respond to a request with this Host header. */
export type HostCheck = (header: string | undefined) => boolean;

/**
 * Protects against DNS rebinding: any site can point its name to this machine, and a visitor's browser then lets the
 * page read what a local server answers without a key. Such a request carries the site's name. So a server on loopback
 * answers only to `localhost`, IP addresses and the configured names. Any other server answers to any name, unless
 * names are configured.
 */
export function hostCheck(host: string, allowed: readonly string[]): HostCheck {
  if (!isLoopback(host) && allowed.length === 0) return () => true;
  const names = new Set(['localhost', ...allowed.map((name) => name.toLowerCase())]);
  return (header) => {
    // Browsers always send it; HTTP/1.0 clients may not.
    if (header === undefined) return true;
    const name = nameOf(header.toLowerCase());
    return name !== null && (names.has(name) || isIP(name) !== 0);
  };
}

const isPort = (text: string): boolean => text.length <= 6 && /^(:\d*)?$/.test(text);

/** The host without its port; null when it is malformed. An IPv6 address is in brackets. */
function nameOf(header: string): string | null {
  const end = header.startsWith('[') ? header.indexOf(']') : header.indexOf(':');
  if (header.startsWith('[')) {
    return end > 0 && isPort(header.slice(end + 1)) ? header.slice(1, end) : null;
  }
  if (end < 0) return header;
  return isPort(header.slice(end)) ? header.slice(0, end) : null;
}
