import type { FastifyInstance } from 'fastify';
import type { HostCheck } from '../../../platform/runtime/allowed-hosts.ts';
import { ApiError } from '../errors.ts';
import type { OpenRequests } from './open-requests.ts';

/** A year, as browsers ask for. Subdomains may be somebody else's. */
const ONLY_TLS = 'max-age=31536000';

/**
 * The first checks and headers of every request. Nobody guesses a type: what is JSON is never run as a page or a
 * script. Who came by TLS, as a trusted proxy says, comes by TLS from then on. What a page of another site had
 * a browser ask for, under that site's name, is not answered.
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
    done(isAllowed ? undefined : open.refuse(request.ip, new ApiError('HOST_NOT_ALLOWED')));
  });
}
