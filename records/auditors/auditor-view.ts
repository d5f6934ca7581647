import type { Warehouse } from '#platform/warehouse/port.ts';
import { sandboxesBelow } from '#platform/warehouse/queries/evidence/attestations.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import type { Framework } from '#schemas/vocabulary.ts';
import type { PackageRecord } from '../packages/package-record.ts';
import type { AuditorRecord } from './auditor-record.ts';

/**
 * What a token shows of a customer. It is part of every query and never applied to results: counts, pages and cursors
 * reveal nothing outside the view.
 */
export interface AuditorView {
  /** Sandboxes whose regulations name one of these; null: all. */
  readonly frameworks: readonly Framework[] | null;
  readonly period: DateRange;
}

export const viewOf = ({ frameworks, periodStart, periodEnd }: AuditorRecord): AuditorView => ({
  frameworks,
  period: { from: timeOf(periodStart), to: timeOf(periodEnd) },
});

const timeOf = (text: string | null): number | undefined => (text === null ? undefined : Date.parse(text));

export const isLimited = ({ frameworks, period }: AuditorView): boolean =>
  frameworks !== null || period.from !== undefined || period.to !== undefined;

/** The part of a range that the view shows. If there is none, its start is after its end, and it selects nothing. */
export const withinPeriod = ({ period }: AuditorView, { from, to }: DateRange): DateRange => ({
  from: most(Math.max, period.from, from),
  to: most(Math.min, period.to, to),
});

const most = (
  pick: (...of: number[]) => number,
  ...bounds: readonly (number | undefined)[]
): number | undefined => {
  const given = bounds.filter((bound) => bound !== undefined);
  return given.length === 0 ? undefined : pick(...given);
};

/**
 * Whether the view shows a package, which cannot be reduced: it covers a whole period, and all sandboxes if none names
 * its framework. Its scope is known once it has been built.
 */
export const showsPackage = (
  { frameworks, period }: AuditorView,
  { framework, startDate, endDate, file }: PackageRecord,
): boolean =>
  (frameworks === null || (frameworks.includes(framework) && file?.scope === 'NAMED')) &&
  (period.from === undefined || Date.parse(startDate) >= period.from) &&
  (period.to === undefined || Date.parse(endDate) <= period.to);

/** Ids of the sandboxes that the view shows, by the current ledger; undefined: all. */
export async function shownSandboxes(
  warehouse: Warehouse,
  customerId: string,
  { frameworks }: AuditorView,
): Promise<readonly string[] | undefined> {
  if (frameworks === null) return undefined;
  const sandboxes = await sandboxesBelow(warehouse, customerId, Number.MAX_SAFE_INTEGER);
  return sandboxes
    .filter(({ regulations }) => frameworks.some((framework) => regulations.includes(framework)))
    .map(({ sandboxId }) => sandboxId);
}
