import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { RouteContract } from '#schemas/api/contract.ts';
import type { Pagination } from '#schemas/api/fields/paging.ts';
import { type Period, periodQuery } from '../address/period.ts';
import { useApi } from './api-context.ts';
import type { AnswerOf, Query } from './call.ts';
import type { Fault } from './fault.ts';
import { nextPage } from './next-page.ts';

const ROWS_AT_ONCE = 100;

interface Paged {
  readonly pagination: Pagination;
}

export type PagesOf<C extends RouteContract> = UseInfiniteQueryResult<
  { readonly pages: readonly (AnswerOf<C> & Paged)[] },
  Fault
>;

interface ListOptions {
  readonly period?: Period;
  readonly rowsAtOnce?: number;
}

const ALWAYS: Period = { range: null, from: undefined, to: undefined };

/** A list of the service, page behind page by the cursor, so that none is left out while new ones come. */
export function usePages<C extends RouteContract>(
  path: string,
  filters: Query = {},
  { period = ALWAYS, rowsAtOnce = ROWS_AT_ONCE }: ListOptions = {},
): PagesOf<C> {
  const api = useApi();
  return useInfiniteQuery<
    AnswerOf<C> & Paged,
    Fault,
    { readonly pages: readonly (AnswerOf<C> & Paged)[] },
    readonly unknown[],
    string | null
  >({
    queryKey: [path, 'list', filters, period.range ?? period],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, ...periodQuery(period, Date.now()), limit: rowsAtOnce };
      const behind = pageParam === null ? {} : { cursor: pageParam };
      return (await api.call<C>(path, { query: { ...query, ...behind }, signal })) as AnswerOf<C> & Paged;
    },
    initialPageParam: null,
    getNextPageParam: ({ pagination }, pages) => nextPage(pagination.nextCursor, pages.length),
    // Asked for anew, all pages would be: what is new is behind "Renew".
    refetchInterval: false,
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
}
