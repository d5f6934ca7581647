/** Parameters of a list's address that are not filters. */
const NO_FILTERS = ['range', 'from', 'to', 'open', 'tab'] as const;

export type FiltersOf<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** A list's filters in the address, under the API's names. */
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

/** Parameters in the address that the list cannot be filtered by: reported, not silently dropped. */
export function unknownIn(names: readonly string[], search: URLSearchParams): string[] {
  const known = new Set<string>([...names, ...NO_FILTERS]);
  return [...new Set([...search.keys()].filter((name) => !known.has(name)))];
}

/** The value if it is an allowed one. */
export const oneOf = <Value extends string>(
  value: string | null | undefined,
  values: readonly Value[],
): Value | null => values.find((one) => one === value) ?? null;
