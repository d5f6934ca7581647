import type { RouteContract } from '#schemas/api/contract.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Path under which a proxy serves the service; empty: none. */
    readonly basePath: string;
  }
}

/**
 * The address without the path under which a proxy serves the service. Other addresses stay unchanged: probes send
 * them, and so do proxies that remove the path. The remainder must be a path of the service, because under `/audit` a
 * proxy that removes the path sends `/audit/ingest` for `/audit/audit/ingest`.
 */
export function withoutBasePath(
  basePath: string,
  contracts: readonly Pick<RouteContract, 'path'>[],
): (url: string) => string {
  if (basePath === '') return (url) => url;
  const firstParts = new Set(contracts.map(({ path }) => firstPart(path)));
  return (url) => {
    if (!url.startsWith(basePath)) return url;
    const rest = url.slice(basePath.length);
    if (rest === '' || rest.startsWith('?')) return `/${rest}`;
    return rest.startsWith('/') && firstParts.has(firstPart(rest)) ? rest : url;
  };
}

/** `audits` of `/audits/7?wait=5`. */
function firstPart(url: string): string {
  const path = url.split('?', 1)[0]!.slice(1);
  const end = path.indexOf('/');
  return end === -1 ? path : path.slice(0, end);
}
