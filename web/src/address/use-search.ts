import { useMemo } from 'react';
import { useSearchParams } from 'wouter';

type Changes = Readonly<Record<string, string | null>>;

/** The address's query, which is the only place for what a page shows. */
export function useSearch() {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  return useMemo(
    () => ({
      search: new URLSearchParams(text),
      /** Sets parameters, and removes those that are null. */
      change: (changes: Changes, how: 'push' | 'replace' = 'push'): void =>
        setSearch(
          (former) => {
            const changed = new URLSearchParams(former);
            for (const [name, value] of Object.entries(changes))
              if (value === null || value === '') changed.delete(name);
              else changed.set(name, value);
            return changed;
          },
          { replace: how === 'replace' },
        ),
      clear: (): void => setSearch({}),
    }),
    [text, setSearch],
  );
}
