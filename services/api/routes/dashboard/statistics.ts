import { getBooks, getStats, getTimeseries } from '../../../../schemas/api/dashboard.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { type BooksParts, readBooks } from '../../use-cases/books.ts';
import { twice } from '../../use-cases/envelopes.ts';
import { createFreshness, type FreshnessParts } from '../../use-cases/freshness.ts';
import { type DashboardParts, readStats } from '../../use-cases/stats.ts';
import { readTimeseries } from '../../use-cases/timeseries.ts';

export function statisticsRoutes(
  add: AddRoute,
  given: FreshnessParts & Omit<DashboardParts & BooksParts, 'freshness'>,
): void {
  const parts = { ...given, freshness: createFreshness(given) };
  add(getStats, async ({ caller, query }) => ({
    body: twice(await readStats(parts, caller.customerId, query)),
  }));
  add(getTimeseries, async ({ caller, query }) => ({
    body: await readTimeseries(parts, caller.customerId, query),
  }));
  add(getBooks, async ({ caller }) => ({ body: twice(await readBooks(parts, caller.customerId)) }));
}
