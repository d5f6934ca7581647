import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RouteContract } from '#schemas/api/contract.ts';
import { useApi } from './api-context.ts';
import type { AnswerOf, Query } from './call.ts';
import type { Fault } from './fault.ts';

const ROWS_AT_ONCE = 50;
/** Pages that a list holds: whoever looks for more narrows the filters. */
const MAX_PAGES = 20;

type RowOf<C extends RouteContract> =
  AnswerOf<C> extends { readonly data: readonly (infer Row)[] } ? Row : never;

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number; readonly nextCursor: string | null };
}

/** A list of the service, page behind page by the cursor. */
export function useList<C extends RouteContract>(path: string, query: Query, rowsAtOnce = ROWS_AT_ONCE) {
  const api = useApi();
  const list = useInfiniteQuery<
    ListPage<RowOf<C>>,
    Fault,
    { readonly pages: readonly ListPage<RowOf<C>>[] },
    readonly unknown[],
    string | null
  >({
    queryKey: [path, query, 'list'],
    queryFn: async ({ pageParam, signal }) => {
      const behind = pageParam === null ? {} : { cursor: pageParam };
      const asked = { ...query, limit: rowsAtOnce, ...behind };
      return (await api.call<C>(path, { query: asked, signal })) as unknown as ListPage<RowOf<C>>;
    },
    initialPageParam: null,
    getNextPageParam: ({ pagination }, pages) => (pages.length >= MAX_PAGES ? null : pagination.nextCursor),
  });
  const { data } = list;
  const rows = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data]);
  return {
    rows,
    /** Undefined: not known yet. */
    total: data?.pages[0]?.pagination.total,
    error: list.error,
    dataUpdatedAt: list.dataUpdatedAt,
    hasMore: list.hasNextPage,
    isFetching: list.isFetching,
    more: () => void list.fetchNextPage(),
    renew: () => void list.refetch(),
  };
}
