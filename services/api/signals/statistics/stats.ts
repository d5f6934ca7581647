import type { Warehouse } from '#platform/warehouse/port.ts';
import { readStats as readRows, type StatsRow } from '#platform/warehouse/queries/stats.ts';
import type { Directory } from '#records/directory.ts';
import { inSandbox } from '#records/sandboxes/in-sandbox.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import {
  type AuditCounts,
  type Freshness,
  type getStats,
  MAX_MODELS,
  type RiskCounts,
  type Stats,
} from '#schemas/api/dashboard.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';

export interface DashboardDependencies {
  readonly warehouse: Warehouse;
  readonly directory: Directory;
  readonly freshness: () => Promise<Freshness>;
  readonly now: () => number;
}

export const NO_SIGNALS: RiskCounts = { LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 0 };

const NO_AUDITS: AuditCounts = { stored: 0, inFlight: 0, retrying: 0, deadLettered: 0, erased: 0 };

export const levelsOf = ({ LOW, MEDIUM, HIGH, CRITICAL }: RiskCounts): RiskCounts => ({
  LOW,
  MEDIUM,
  HIGH,
  CRITICAL,
});

/** Reads the log before calling `read`, so that numbers are never reported as complete too early. */
export async function withFreshness<Numbers extends object>(
  { freshness, now }: Pick<DashboardDependencies, 'freshness' | 'now'>,
  read: (measured: Freshness, asOf: number) => Promise<Numbers>,
): Promise<Numbers & { asOf: string; freshness: Freshness }> {
  const measured = await freshness();
  const asOf = now();
  return { ...(await read(measured, asOf)), asOf: new Date(asOf).toISOString(), freshness: measured };
}

export async function readStats(
  dependencies: DashboardDependencies,
  customerId: string,
  { sandboxSlug, range }: QueryOf<typeof getStats>,
): Promise<Stats> {
  const filter = await inSandbox(dependencies.directory, { customerId }, sandboxSlug);
  return withFreshness(dependencies, async (_measured, asOf) =>
    // A sandbox that never existed has no audits.
    statsOf(
      filter === null
        ? []
        : await readRows(
            dependencies.warehouse,
            { ...filter, from: range.from, to: range.to ?? asOf },
            MAX_MODELS,
          ),
    ),
  );
}

function statsOf(rows: readonly StatsRow[]): Omit<Stats, 'asOf' | 'freshness'> {
  const of = (part: StatsRow['part']): StatsRow[] => rows.filter((row) => row.part === part);
  const sandboxes = of('sandbox');
  const auditBreakdown = {
    ...NO_AUDITS,
    ...Object.fromEntries(of('audits').map(({ name, total }) => [name, total])),
  };
  const riskBreakdown = { ...NO_SIGNALS };
  for (const row of sandboxes) for (const level of RISK_LEVELS) riskBreakdown[level] += row[level];
  return {
    totalAudits: Object.values(auditBreakdown).reduce((sum, audits) => sum + audits, 0),
    auditBreakdown,
    riskBreakdown,
    topViolations: mostFirst(of('violation')).map(({ name, total }) => ({ code: name, count: total })),
    sandboxBreakdown: mostFirst(sandboxes).map(({ name, total }) => ({ slug: name, count: total })),
    modelBreakdown: mostFirst(of('model')).map(({ provider, name, total }) => ({
      provider,
      model: name,
      count: total,
    })),
  };
}

/** Highest count first; equal counts by name, and equal model names by provider. */
const mostFirst = (rows: readonly StatsRow[]): StatsRow[] =>
  rows.toSorted((a, b) => b.total - a.total || compared(a.name, b.name) || compared(a.provider, b.provider));

const compared = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
