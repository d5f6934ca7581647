import { isIP } from 'node:net';

/** Whether nobody but this machine reaches a server that listens there. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Whether a request may be answered that carries this Host header. */
export type HostCheck = (header: string | undefined) => boolean;

/**
 * A page of any site can have its name point to this machine, and its visitor's browser then lets it read what a server
 * here answers without a key. Such a request carries the site's name: so a server that only this machine reaches
 * answers under `localhost`, under addresses, which no name is, and under the names that were configured. One that others reach
 * answers under any name, unless names were configured.
 */
export function hostCheck(host: string, allowed: readonly string[]): HostCheck {
  if (!isLoopback(host) && allowed.length === 0) return () => true;
  const names = new Set(['localhost', ...allowed.map((name) => name.toLowerCase())]);
  return (header) => {
    // No browser leaves it out; HTTP/1.0 may.
    if (header === undefined) return true;
    const name = nameOf(header.toLowerCase());
    return name !== null && (names.has(name) || isIP(name) !== 0);
  };
}

const isPort = (text: string): boolean => text.length <= 6 && /^(:\d*)?$/.test(text);

/** The host without its port; null when it is none. An address of version 6 stands in brackets. */
function nameOf(header: string): string | null {
  const end = header.startsWith('[') ? header.indexOf(']') : header.indexOf(':');
  if (header.startsWith('[')) {
    return end > 0 && isPort(header.slice(end + 1)) ? header.slice(1, end) : null;
  }
  if (end < 0) return header;
  return isPort(header.slice(end)) ? header.slice(0, end) : null;
}
