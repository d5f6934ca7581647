import { fastify } from 'fastify';
import type { Registry } from 'prom-client';
import type { HostCheck } from '#platform/config/allowed-hosts.ts';
import { cachedCheck } from './cached-check.ts';
import type { ReadinessReport } from './readiness.ts';

/** How long all requests share a check's result. */
const LOOK_EVERY_MS = 1_000;

interface HealthServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly readiness: () => Promise<ReadinessReport>;
  readonly metrics: Registry;
  readonly isAllowedHost: HostCheck;
  /** Unix ms. */
  readonly now: () => number;
}

export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves /health/live, /health/ready and /metrics for a role without an API, with the same responses as the API's.
 * Rejects, saying what to do, if the port is taken.
 */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { host, port, now, isAllowedHost } = options;
  const readiness = cachedCheck(LOOK_EVERY_MS, now, options.readiness);
  const metrics = cachedCheck(LOOK_EVERY_MS, now, () => options.metrics.metrics());
  const app = fastify();
  app.addHook('onRequest', async (request, reply) => {
    if (isAllowedHost(request.headers.host)) return;
    return reply.code(421).send({ statusCode: 421, message: 'add this host name to ALLOWED_HOSTS' });
  });
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    const report = await readiness();
    return reply.code(report.status === 'unready' ? 503 : 200).send(report);
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(options.metrics.contentType).send(await metrics()),
  );
  const url = await app.listen({ host, port }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} on ${host} is in use; stop the process that uses it, or set HEALTH_PORT`);
  });
  return { url, close: () => app.close() };
}
