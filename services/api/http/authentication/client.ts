import type { FastifyRequest } from 'fastify';

/** The client of a request, according to the connection and trusted proxies. */
export interface Client {
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  /** Whether the connection and, behind a trusted proxy, the client are both on this machine. */
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

export const clientOf = (request: FastifyRequest): Client => ({
  address: request.ip,
  isLocal: [request.ip, request.socket.remoteAddress ?? ''].every(isLoopbackAddress),
  isSecure: request.protocol === 'https',
  cookie: request.headers.cookie,
  basePath: request.server.basePath,
});
