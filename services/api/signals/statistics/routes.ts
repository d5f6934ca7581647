import { getReconciliation, getStats, getTimeseries } from '#schemas/api/dashboard.ts';
import { envelope } from '../../http/envelopes.ts';
import type { AddRoute } from '../../http/route.ts';
import { type ReconciliationDependencies, readReconciliation } from './reconciliation.ts';
import { type DashboardDependencies, readStats } from './stats.ts';
import { readTimeseries } from './timeseries.ts';

export function statisticsRoutes(
  add: AddRoute,
  dependencies: DashboardDependencies & ReconciliationDependencies,
): void {
  add(getStats, async ({ caller, query }) => ({
    body: envelope(await readStats(dependencies, caller.customerId, query)),
  }));
  add(getTimeseries, async ({ caller, query }) => ({
    body: await readTimeseries(dependencies, caller.customerId, query),
  }));
  add(getReconciliation, async ({ caller }) => ({
    body: envelope(await readReconciliation(dependencies, caller.customerId)),
  }));
}
