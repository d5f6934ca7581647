import type { FastifyRequest } from 'fastify';

/** The client of a request, according to the connection and trusted proxies. */
export interface Client {
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  /**
   * Whether the client is on this machine: without a proxy, or with trusted proxies only, which report it. A request
   * with another proxy's header is not local, because that proxy may run here for clients elsewhere.
   */
  readonly isLocal: boolean;
  /** Whether the client came over TLS. */
  readonly isSecure: boolean;
  /** The header, as sent. */
  readonly cookie: string | undefined;
  /** Path under which a proxy serves the service, used as the cookie's path; empty: none. */
  readonly basePath: string;
}

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');

const FORWARDED_BY: readonly string[] = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'];

/** Whether each proxy that the headers report is trusted, so that `request.ip` is the client's address. */
function isClientKnown({ headers, ips = [] }: FastifyRequest): boolean {
  if (FORWARDED_BY.every((name) => headers[name] === undefined)) return true;
  const reported = headers['x-forwarded-for'];
  // `ips` starts with the connection's address, and ends at the first one that is not a trusted proxy's.
  return reported !== undefined && ips.length - 1 === String(reported).split(',').length;
}

export const clientOf = (request: FastifyRequest): Client => ({
  address: request.ip,
  isLocal:
    isClientKnown(request) && [request.ip, request.socket.remoteAddress ?? ''].every(isLoopbackAddress),
  isSecure: request.protocol === 'https',
  cookie: request.headers.cookie,
  basePath: request.server.basePath,
});
