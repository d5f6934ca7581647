import { type FiltersOf, filtersOf, unknownIn } from './filters.ts';

/** Signal filters, under the API's names. */
export const SIGNAL_FILTERS = ['riskLevel', 'violation', 'sandboxSlug', 'provider', 'model'] as const;
export type SignalFilter = (typeof SIGNAL_FILTERS)[number];

export const FILTER_LABELS: Readonly<Record<SignalFilter, string>> = {
  riskLevel: 'Risk level',
  violation: 'Violation',
  sandboxSlug: 'Sandbox',
  provider: 'Provider',
  model: 'Model',
};

export type SignalFilters = FiltersOf<SignalFilter>;

export const filtersIn = (search: URLSearchParams): SignalFilters => filtersOf(SIGNAL_FILTERS, search);

export const unknownFilters = (search: URLSearchParams): string[] => unknownIn(SIGNAL_FILTERS, search);

/** Address of the list of signals with these filters; undefined ones are left out. */
export function signalsAddress(
  filters: Readonly<Partial<Record<SignalFilter | 'range' | 'from' | 'to' | 'open', string | undefined>>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) search.set(name, value);
  const text = search.toString();
  return text === '' ? '/signals' : `/signals?${text}`;
}

/** The address without a filter, or with another value for it; an open sheet stays open. */
export function withFilter(search: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const changed = new URLSearchParams(search);
  if (value === null || value === '') changed.delete(name);
  else changed.set(name, value);
  return changed;
}

/** The address with another period; null removes that parameter. */
export function withDates(
  search: URLSearchParams,
  dates: Readonly<Record<'range' | 'from' | 'to', string | null>>,
): URLSearchParams {
  let changed = search;
  for (const [name, value] of Object.entries(dates)) changed = withFilter(changed, name, value);
  return changed;
}
