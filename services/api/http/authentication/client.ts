import type { FastifyRequest } from 'fastify';

/** Who sends a request, as far as the connection and trusted proxies say. */
export interface Client {
  /** The client's address, behind proxies that are trusted. */
  readonly address: string;
  /** Whether neither the connection nor the client behind a trusted proxy is on another machine. */
  readonly isLocal: boolean;
  /** Whether the client came over TLS. */
  readonly isSecure: boolean;
  /** The header, as sent. */
  readonly cookie: string | undefined;
  /** Path under which a proxy serves the service, where the cookie belongs; empty: none. */
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
