import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { type FiltersOf, filtersOf, unknownIn } from './filters.ts';
import { type Period, periodIn } from './period.ts';
import { withDates, withFilter } from './signal-filters.ts';

export interface ListAddress<Name extends string> {
  readonly search: URLSearchParams;
  readonly filters: FiltersOf<Name>;
  readonly period: Period;
  /** Id of the record whose sheet is open. */
  readonly open: string | null;
  /** Whether the address contains anything but an open sheet. */
  readonly isFiltered: boolean;
  /** Parameters that are not filters of the list. */
  readonly unknown: readonly string[];
  set(name: string, value: string | null, how?: 'push' | 'replace'): void;
  setPeriod(dates: Readonly<Record<'range' | 'from' | 'to', string | null>>): void;
  /** Goes to another state of the same page and drops all other parameters. */
  go(search: Readonly<Record<string, string>>): void;
  clear(): void;
}

/** A list page keeps its state in the address: filters, and which sheet is open. */
export function useListAddress<Name extends string>(names: readonly Name[]): ListAddress<Name> {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  return useMemo(() => {
    const params = new URLSearchParams(text);
    const open = params.get('open');
    return {
      search: params,
      filters: filtersOf(names, params),
      period: periodIn(params, Date.now(), null),
      open,
      isFiltered: params.size > (open === null ? 0 : 1),
      unknown: unknownIn(names, params),
      set: (name, value, how = 'push') =>
        setSearch((former) => withFilter(former, name, value), { replace: how === 'replace' }),
      setPeriod: (dates) => setSearch((former) => withDates(former, dates)),
      go: (wanted) => setSearch({ ...wanted }),
      clear: () => setSearch({}),
    };
  }, [text, setSearch, names]);
}
