/** What an address says beside the filters of a list. */
const NO_FILTERS: readonly string[] = ['range', 'from', 'to', 'open', 'tab'];

/** The filters of a list that the address names, as the API is asked with. */
export function filtersOf<Name extends string>(
  search: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const filters: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search.get(name);
    if (value !== null && value !== '') filters[name] = value;
  }
  return filters;
}

/** Names in the address that the list cannot be filtered by: said, and not dropped in silence. */
export const namesBeside = (search: URLSearchParams, names: readonly string[]): string[] => [
  ...new Set([...search.keys()].filter((name) => !names.includes(name) && !NO_FILTERS.includes(name))),
];

/** The value, where it is one of those that there are. */
export const oneOf = <Value extends string>(
  value: string | null | undefined,
  values: readonly Value[],
): Value | null => values.find((one) => one === value) ?? null;
