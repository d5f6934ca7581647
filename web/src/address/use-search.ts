import { useMemo } from 'react';
import { useSearchParams } from 'wouter';

type Changes = Readonly<Record<string, string | null>>;

/** The address's part behind the question mark: what a page shows is nowhere else. */
export function useSearch() {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  return useMemo(
    () => ({
      search: new URLSearchParams(text),
      /** Sets names, and takes those away that are null. */
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
