import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { RouteContract } from '#schemas/api/contract.ts';
import { type Period, periodQuery } from '../address/period.ts';
import { useApi } from './api-context.ts';
import type { AnswerOf, Query } from './call.ts';
import type { Fault } from './fault.ts';

const ROWS_AT_ONCE = 100;
/** Pages that a list holds: whoever looks for more narrows it. */
const MAX_PAGES = 20;
/** Of lists that may be polled, when nothing in them changes. */
const REFRESH_MS = 60_000;

type RowOf<C extends RouteContract> =
  AnswerOf<C> extends { readonly data: readonly (infer Row)[] } ? Row : never;

interface Listed<Row> {
  readonly rows: readonly Row[];
  /** Of all pages, shown or not. */
  readonly total: number;
}

interface ListAnswer<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number; readonly nextCursor: string | null };
}

interface ListOptions<Row> {
  readonly period?: Period;
  readonly limit?: number;
  /** While some row changes by itself: how soon it is asked for again. */
  readonly pollMs?: (rows: readonly Row[]) => number | null;
}

export type RowsQuery<C extends RouteContract> = UseInfiniteQueryResult<Listed<RowOf<C>>, Fault>;

/** A list of the service, newest first, page behind page by the cursor. */
export function useRows<C extends RouteContract>(
  path: string,
  query: Query = {},
  { period, limit = ROWS_AT_ONCE, pollMs }: ListOptions<RowOf<C>> = {},
): RowsQuery<C> {
  type Row = RowOf<C>;
  const api = useApi();
  return useInfiniteQuery<ListAnswer<Row>, Fault, Listed<Row>, readonly unknown[], string | undefined>({
    queryKey: [path, 'list', query, period?.range ?? period ?? null],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const dates = period === undefined ? {} : periodQuery(period, Date.now());
      const answer = await api.call<C>(path, { query: { ...query, ...dates, limit, cursor }, signal });
      return answer as unknown as ListAnswer<Row>;
    },
    initialPageParam: undefined,
    placeholderData: keepPreviousData,
    getNextPageParam: ({ pagination }, pages) =>
      pages.length >= MAX_PAGES ? undefined : (pagination.nextCursor ?? undefined),
    select: ({ pages }) => ({
      rows: pages.flatMap(({ data }) => data),
      total: pages[0]?.pagination.total ?? 0,
    }),
    ...(pollMs === undefined
      ? {}
      : {
          refetchInterval: ({ state }) => {
            const rows = (state.data?.pages ?? []).flatMap(({ data }) => data);
            return pollMs(rows) ?? REFRESH_MS;
          },
        }),
  });
}
