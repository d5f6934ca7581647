import { useInfiniteQuery } from '@tanstack/react-query';
import type { listSignals } from '#schemas/api/signals.ts';
import { type Period, periodQuery } from '../../address/period.ts';
import type { SignalFilters } from '../../address/signal-filters.ts';
import { useApi } from '../../api/api-context.ts';
import type { AnswerOf } from '../../api/call.ts';
import type { Fault } from '../../api/fault.ts';
import { nextPage } from './next-page.ts';

const ROWS_AT_ONCE = 100;

type SignalsPage = AnswerOf<typeof listSignals>;

/** Signals by the address's filters, page behind page by the cursor, so that none is left out while new ones come. */
export function useSignals(filters: SignalFilters, period: Period) {
  const api = useApi();
  return useInfiniteQuery<
    SignalsPage,
    Fault,
    { readonly pages: readonly SignalsPage[] },
    readonly unknown[],
    string | null
  >({
    queryKey: ['/dashboard/signals', filters, period.range ?? period],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...periodQuery(period, Date.now()), limit: ROWS_AT_ONCE };
      const behind = pageParam === null ? {} : { cursor: pageParam };
      return api.call<typeof listSignals>('/dashboard/signals', { query: { ...query, ...behind }, signal });
    },
    initialPageParam: null,
    getNextPageParam: ({ pagination }, pages) => nextPage(pagination.nextCursor, pages.length),
    // Asked for anew, all pages would be: what is new is behind "Renew".
    refetchInterval: false,
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
}
