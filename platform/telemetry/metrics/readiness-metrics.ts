import { Gauge, type Registry } from 'prom-client';
import { cachedCheck } from '../readiness/cached-check.ts';
import type { ReadinessReport } from '../readiness/readiness.ts';

/** All gauges of one scrape show the same checks. */
const LOOK_EVERY_MS = 1_000;
const LEVELS = { ready: 0, degraded: 1, unready: 2 } as const;

/** Gauges for the checks in /health/ready. */
export function readinessMetrics(
  registers: Registry[],
  role: string,
  read: () => Promise<ReadinessReport>,
): void {
  const shared = cachedCheck(LOOK_EVERY_MS, () => performance.now(), read);
  new Gauge({
    name: 'cas_readiness_level',
    help: '0: ready, 1: degraded (serves requests, but a check fails), 2: not ready',
    labelNames: ['role'],
    registers,
    async collect() {
      this.set({ role }, LEVELS[(await shared()).status]);
    },
  });
  new Gauge({
    name: 'cas_dependency_up',
    help: 'Checks of /health/ready: 1 passes, 0 fails',
    labelNames: ['role', 'dependency'],
    registers,
    async collect() {
      const { checks } = await shared();
      for (const [dependency, { ok }] of Object.entries(checks)) this.set({ role, dependency }, ok ? 1 : 0);
    },
  });
}
