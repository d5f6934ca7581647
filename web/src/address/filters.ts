/** What else an address of a list says; none of it is a filter that could be missed. */
const NO_FILTERS = ['range', 'from', 'to', 'open', 'tab'] as const;

export type FiltersOf<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** Filters of a list that stand in the address, named there as in the API. */
export function filtersOf<Name extends string>(
  names: readonly Name[],
  search: URLSearchParams,
): FiltersOf<Name> {
  const filters: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search.get(name);
    if (value !== null && value !== '') filters[name] = value;
  }
  return filters;
}

/** Names in the address that the list cannot be filtered by: said, and not dropped in silence. */
export function unknownIn(names: readonly string[], search: URLSearchParams): string[] {
  const known = new Set<string>([...names, ...NO_FILTERS]);
  return [...new Set([...search.keys()].filter((name) => !known.has(name)))];
}

/** The value, where it is one of those that there are. */
export const oneOf = <Value extends string>(
  value: string | null | undefined,
  values: readonly Value[],
): Value | null => values.find((one) => one === value) ?? null;
