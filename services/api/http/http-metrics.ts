import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { BodyBudget } from './bodies/body-budget.ts';

type Durations = Histogram<'method' | 'route' | 'status'>;

const NAME = 'cas_http_request_duration_seconds';

/** The runtime's metrics already contain this one; a bare registry gets it here. */
const durationsOf = (registry: Registry): Durations =>
  (registry.getSingleMetric(NAME) as Durations | undefined) ??
  new Histogram({
    name: NAME,
    help: 'Time from request headers to the end of the response',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });

/** Durations of answers by route pattern, never by address: an address contains ids. */
export function installHttpMetrics(app: FastifyInstance, registry: Registry): void {
  const durations = durationsOf(registry);
  app.addHook('onResponse', (request, reply, done) => {
    const isKnown = !request.is404;
    const route = isKnown ? (request.routeOptions.url ?? 'unknown') : 'unknown';
    // Methods are a small set only on known routes; elsewhere a client may send any word.
    const method = isKnown ? request.method : 'other';
    durations.labels(method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000);
    done();
  });
}

/** How much of the budget for bodies is held; refusals show as status 503 among the durations. */
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
