import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

/** Durations of answers by route pattern, never by address: an address holds ids. */
export function installHttpMetrics(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'cas_http_request_duration_seconds',
    help: 'Time from the request’s headers to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const isKnown = !request.is404;
    const route = isKnown ? (request.routeOptions.url ?? 'unknown') : 'unknown';
    // Methods are a small set only on known routes; a client may send any word on others.
    const method = isKnown ? request.method : 'other';
    durations.labels(method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000);
    done();
  });
}
