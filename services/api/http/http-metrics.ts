import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { BodyBudget } from './bodies/body-budget.ts';

type Durations = Histogram<'method' | 'route' | 'status'>;

const NAME = 'cas_http_request_duration_seconds';

/** The runtime's registry already contains this metric; a bare registry gets it here. */
const durationsOf = (registry: Registry): Durations =>
  (registry.getSingleMetric(NAME) as Durations | undefined) ??
  new Histogram({
    name: NAME,
    help: 'Time from request headers to the end of the response',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });

/** Durations of answers by route pattern, never by address, which contains ids. */
export function installHttpMetrics(app: FastifyInstance, registry: Registry): void {
  const durations = durationsOf(registry);
  app.addHook('onResponse', (request, reply, done) => {
    const isKnown = !request.is404;
    const route = isKnown ? (request.routeOptions.url ?? 'unknown') : 'unknown';
    // Only known routes have a small set of methods; elsewhere a client may send any word.
    const method = isKnown ? request.method : 'other';
    durations.labels(method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000);
    done();
  });
}

/** How much of the budget for bodies is in use. Refusals show as status 503 in the durations. */
export function installBodyMetrics(registry: Registry, budget: Pick<BodyBudget, 'heldBytes'>): void {
  new Gauge({
    name: 'cas_http_body_memory_bytes',
    help: 'Memory reserved for request bodies in progress; at most HTTP_BODY_MEMORY_MIB',
    registers: [registry],
    collect() {
      this.set(budget.heldBytes());
    },
  });
}
