import type { Directory } from '../../../platform/directory/directory.ts';
import type { Warehouse } from '../../../platform/warehouse/port.ts';
import { readStats as readRows, type StatsRow } from '../../../platform/warehouse/queries/stats.ts';
import type { QueryOf } from '../../../schemas/api/contract.ts';
import type { Freshness, getStats, RiskCounts, Stats } from '../../../schemas/api/dashboard.ts';
import { RISK_LEVELS } from '../../../schemas/vocabulary.ts';

export interface DashboardParts {
  readonly warehouse: Warehouse;
  readonly directory: Directory;
  readonly freshness: () => Promise<Freshness>;
  readonly now: () => number;
}

export const NO_SIGNALS: RiskCounts = { LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 0 };

export const levelsOf = ({ LOW, MEDIUM, HIGH, CRITICAL }: RiskCounts): RiskCounts => ({
  LOW,
  MEDIUM,
  HIGH,
  CRITICAL,
});

/** Calls `read` between a look at the log and the answer, so that nothing is called counted that was not. */
export async function withFreshness<Numbers extends object>(
  { freshness, now }: Pick<DashboardParts, 'freshness' | 'now'>,
  read: (measured: Freshness, asOf: number) => Promise<Numbers>,
): Promise<Numbers & { asOf: string; freshness: Freshness }> {
  const measured = await freshness();
  const asOf = now();
  return { ...(await read(measured, asOf)), asOf: new Date(asOf).toISOString(), freshness: measured };
}

export async function readStats(
  parts: DashboardParts,
  customerId: string,
  { sandboxSlug, range }: QueryOf<typeof getStats>,
): Promise<Stats> {
  const sandboxId =
    sandboxSlug === undefined ? undefined : await parts.directory.sandboxIdOfSlug(customerId, sandboxSlug);
  return withFreshness(parts, async () =>
    // Nothing belongs to a sandbox that never was.
    statsOf(sandboxId === null ? [] : await readRows(parts.warehouse, { customerId, sandboxId, ...range })),
  );
}

function statsOf(rows: readonly StatsRow[]): Omit<Stats, 'asOf' | 'freshness'> {
  const of = (part: StatsRow['part']): StatsRow[] => rows.filter((row) => row.part === part);
  const sandboxes = of('sandbox');
  const riskBreakdown = { ...NO_SIGNALS };
  for (const row of sandboxes) for (const level of RISK_LEVELS) riskBreakdown[level] += row[level];
  return {
    totalAudits: of('audits')[0]?.total ?? 0,
    riskBreakdown,
    topViolations: mostFirst(of('violation')).map(({ name, total }) => ({ code: name, count: total })),
    sandboxBreakdown: mostFirst(sandboxes).map(({ name, total }) => ({ slug: name, count: total })),
  };
}

/** Equal numbers by name. */
const mostFirst = (rows: readonly StatsRow[]): StatsRow[] =>
  rows.toSorted((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
