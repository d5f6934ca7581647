import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import type { RouteContract } from '#schemas/api/contract.ts';
import { ApiError } from './errors/refusals.ts';
import type { OpenRequests } from './limits/open-requests.ts';

/** Longest address, in characters. */
const MAX_URL_LENGTH = 8_192;

const pathOf = (url: string): string => url.split('?', 1)[0]!;
const pathPattern = (path: string): RegExp => new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`);

/**
 * The first check of every request: 414, 404 and 405 are answered before anybody asks for a key or reads the body,
 * whatever the body is, and count against the client's address. `note` hears of each request that is answered so.
 */
export function installNotFound(
  app: FastifyInstance,
  contracts: readonly RouteContract[],
  open: Pick<OpenRequests, 'refuse'>,
  note: ((request: FastifyRequest) => Promise<void>) | null = null,
): void {
  const known = contracts.map(({ method, path }) => ({ method, path, pattern: pathPattern(path) }));
  // A path that is written out is no id of its neighbour: `/things/find` is not `/things/:id`.
  const writtenOut = new Set(known.map(({ path }) => path).filter((path) => !path.includes(':')));
  const methodsOf = (path: string): string[] => {
    const methods = new Set<string>();
    for (const route of known) {
      if (writtenOut.has(path) ? route.path !== path : !route.pattern.test(path)) continue;
      methods.add(route.method);
      if (route.method === 'GET') methods.add('HEAD');
    }
    return [...methods].sort();
  };
  const unknown = (url: string): Refusal => {
    const allowed = methodsOf(pathOf(url));
    return allowed.length === 0
      ? new Refusal('NOT_FOUND')
      : new ApiError('METHOD_NOT_ALLOWED', { allow: allowed.join(', ') });
  };
  app.addHook('onRequest', async (request) => {
    if (request.url.length > MAX_URL_LENGTH) throw open.refuse(request.ip, new Refusal('URI_TOO_LONG'));
    // The router accepts an empty parameter; a path with an empty parameter is not this route.
    const params = Object.values(request.params as object);
    const isKnown = !request.is404 && !params.includes('');
    if (isKnown && (params.length === 0 || !writtenOut.has(pathOf(request.url)))) return;
    const refusal = open.refuse(request.ip, unknown(request.url));
    if (refusal.code !== 'RATE_LIMITED') await note?.(request);
    throw refusal;
  });
  // Runs after the hook, which has already refused every request that gets here.
  app.setNotFoundHandler((request) => {
    throw unknown(request.url);
  });
}
