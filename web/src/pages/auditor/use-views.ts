import { useSearchParams } from 'wouter';
import {
  auditCoverage,
  auditIncidents,
  auditPackages,
  auditSignals,
  auditSigningKeys,
} from '#schemas/endpoints.ts';
import { type Period, periodIn } from '../../address/period.ts';
import { filtersIn, type SignalFilters } from '../../address/signal-filters.ts';
import { useGet } from '../../api/use-get.ts';
import { type ListQuery, useList } from '../../api/use-list.ts';

/** Rows per page: an auditor reads samples, and each page is a call on record. */
const LIMIT = 20;

export interface SignalsView {
  readonly query: ListQuery<typeof auditSignals>;
  readonly filters: SignalFilters;
  readonly period: Period;
}

/** One call per permission; calls that the token does not permit are denied. */
export function useViews() {
  const [search] = useSearchParams();
  const filters = filtersIn(search);
  const period = periodIn(search, Date.now(), null);
  const query = useList(auditSignals, { query: filters, period, rowsAtOnce: LIMIT });
  const signals: SignalsView = { query, filters, period };
  return {
    signals,
    coverage: useGet(auditCoverage),
    incidents: useList(auditIncidents, { rowsAtOnce: LIMIT }),
    keys: useGet(auditSigningKeys),
    packages: useList(auditPackages, { rowsAtOnce: LIMIT }),
  };
}
