import { getReconciliation, getStats, getTimeseries } from '#schemas/api/dashboard.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { envelope } from '../../use-cases/envelopes.ts';
import {
  type ReconciliationDependencies,
  readReconciliation,
} from '../../use-cases/reconciliation/reconciliation.ts';
import { type DashboardDependencies, readStats } from '../../use-cases/signals/stats.ts';
import { readTimeseries } from '../../use-cases/signals/timeseries.ts';

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
