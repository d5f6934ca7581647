import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../../platform/runtime/metrics.ts';

/** Durations of answers by route pattern, never by address: an address holds ids. */
export function installHttpMetrics(app: FastifyInstance, metrics: Pick<Metrics, 'httpDurations'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const isKnown = !request.is404;
    const route = isKnown ? (request.routeOptions.url ?? 'unknown') : 'unknown';
    // Methods are a small set only on known routes; a client may send any word on others.
    const method = isKnown ? request.method : 'other';
    metrics.httpDurations.labels(method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000);
    done();
  });
}
