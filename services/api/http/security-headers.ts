import type { FastifyInstance } from 'fastify';
import type { HostCheck } from '#platform/config/allowed-hosts.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { OpenRequests } from './limits/open-requests.ts';

/** A year, as browsers recommend. Subdomains are excluded because they may belong to someone else. */
const ONLY_TLS = 'max-age=31536000';

/**
 * The first checks and headers of every request. No content sniffing: JSON never runs as a page or a script. A client
 * that came over TLS, according to a trusted proxy, must use TLS from then on. Requests for a host name that is not
 * ours are refused: a page of another site can make a browser send them.
 */
export function installSecurityHeaders(
  app: FastifyInstance,
  isAllowedHost: HostCheck,
  open: Pick<OpenRequests, 'refuse'>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (request.protocol === 'https') reply.header('strict-transport-security', ONLY_TLS);
    const isAllowed = isAllowedHost(request.headers.host);
    done(isAllowed ? undefined : open.refuse(request.ip, new Refusal('HOST_NOT_ALLOWED')));
  });
}
