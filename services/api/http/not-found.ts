import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#platform/flow/refusal.ts';
import type { RouteContract } from '#schemas/api/contract.ts';
import { nearestRoute, sayNoPath } from './errors/nearest-path.ts';
import { ApiError } from './errors/refusals.ts';
import type { OpenRequests } from './limits/open-requests.ts';

/** Maximum length of an address, in characters. */
const MAX_URL_LENGTH = 8_192;
/** Longer than any HTTP method. */
const MAX_METHOD = 20;

const pathOf = (url: string): string => url.split('?', 1)[0]!;
const pathPattern = (path: string): RegExp => new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`);

const notFound = (message: string | undefined): Refusal =>
  new Refusal('NOT_FOUND', message === undefined ? {} : { message });

/**
 * The first check of every request: 414, 404 and 405 are answered before authentication and before the body is read,
 * whatever the body is, and count against the client's address. `note` receives each request answered this way.
 */
export function installNotFound(
  app: FastifyInstance,
  contracts: readonly RouteContract[],
  open: Pick<OpenRequests, 'refuse'>,
  note: ((request: FastifyRequest) => Promise<void>) | null = null,
): void {
  const known = contracts.map(({ method, path }) => ({ method, path, pattern: pathPattern(path) }));
  // A literal path is not an id of its neighbour: `/things/find` is not `/things/:id`.
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
  const unknown = ({ method, url }: FastifyRequest): Refusal => {
    const path = pathOf(url);
    const allowed = methodsOf(path);
    if (allowed.length === 0) return notFound(sayNoPath(contracts, method, path));
    const mistyped = mistypedRoutes(method, path);
    if (mistyped.length > 0) return notFound(sayNoPath(mistyped, method, path));
    const methods = allowed.join(', ');
    return new ApiError(
      'METHOD_NOT_ALLOWED',
      { allow: methods },
      { message: `Method not allowed: this path takes ${methods}, not ${method.slice(0, MAX_METHOD)}` },
    );
  };
  /** `POST /audits/ingest` is not another method of `/audits/:id`: the intended route is literal and has the method. */
  const mistypedRoutes = (
    method: string,
    path: string,
  ): readonly Pick<RouteContract, 'method' | 'path'>[] => {
    if (writtenOut.has(path)) return [];
    const parts = path.split('/').length;
    const alike = contracts.filter(
      (contract) =>
        contract.method === method &&
        writtenOut.has(contract.path) &&
        contract.path.split('/').length === parts,
    );
    return nearestRoute(alike, method, path) === null ? [] : alike;
  };
  app.addHook('onRequest', async (request) => {
    if (request.url.length > MAX_URL_LENGTH) throw open.refuse(request.ip, new Refusal('URI_TOO_LONG'));
    // The router accepts an empty parameter; this route does not.
    const params = Object.values(request.params as object);
    const isKnown = !request.is404 && !params.includes('');
    if (isKnown && (params.length === 0 || !writtenOut.has(pathOf(request.url)))) return;
    const refusal = open.refuse(request.ip, unknown(request));
    if (refusal.code !== 'RATE_LIMITED') await note?.(request);
    throw refusal;
  });
  // Runs after the hook, which has already refused every request that reaches it.
  app.setNotFoundHandler((request) => {
    throw unknown(request);
  });
}
