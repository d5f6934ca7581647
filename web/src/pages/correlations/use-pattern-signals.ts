import { useQuery } from '@tanstack/react-query';
import type { ShownPattern } from '#schemas/api/evidence/correlations.ts';
import type { Signal } from '#schemas/api/signals.ts';
import { listSignals } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { filtersOfKey } from './patterns.ts';

const ROWS_AT_ONCE = 100;
/** Maximum number of pages of the period's signals that are searched for the pattern's. */
const MAX_PAGES = 5;

/** The pattern's signals with their times, as far as they are found among those of its period. */
export function usePatternSignals({ id, version, key, signalIds, firstSeen, lastSeen }: ShownPattern) {
  const api = useApi();
  return useQuery<readonly Signal[], Fault>({
    queryKey: [listSignals.path, 'of a pattern', id, version, signalIds.length],
    queryFn: async ({ signal }) => {
      const wanted = new Set(signalIds);
      const found: Signal[] = [];
      const request = {
        ...filtersOfKey(key),
        from: firstSeen,
        to: lastSeen,
        limit: ROWS_AT_ONCE,
        rows: 'once',
      };
      let cursor: string | undefined;
      for (let pages = 0; pages < MAX_PAGES && found.length < wanted.size; pages += 1) {
        const query = { ...request, cursor };
        const { data, pagination } = await api.call(listSignals, { query, signal });
        found.push(...data.filter((one) => wanted.has(one.id)));
        if (pagination.nextCursor === null) break;
        cursor = pagination.nextCursor;
      }
      return found;
    },
    enabled: signalIds.length > 0,
    refetchInterval: false,
  });
}
