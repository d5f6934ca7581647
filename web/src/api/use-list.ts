import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { Pagination } from '#schemas/api/fields/paging.ts';
import {
  type AnswerOf,
  type AnyRequest,
  type Endpoint,
  type Sent,
  targetOf,
} from '#schemas/api/openapi/request.ts';
import { type Period, periodQuery } from '../address/period.ts';
import { useApi } from './api-context.ts';
import type { Fault } from './fault.ts';
import { nextPage } from './next-page.ts';

const ROWS_AT_ONCE = 100;
/** Refetch interval of a polling list while none of its rows changes by itself. */
const REFRESH_MS = 60_000;

/** The list of audits has its own property name in the API. */
type RowOf<E extends Endpoint> =
  AnswerOf<E> extends { readonly data: readonly (infer Row)[] }
    ? Row
    : AnswerOf<E> extends { readonly audits: readonly (infer Row)[] }
      ? Row
      : never;

interface Listed<Row> {
  readonly rows: readonly Row[];
  /** On all pages, shown or not. */
  readonly total: number;
  /** The list is full, and more rows exist. */
  readonly isCut: boolean;
}

interface ListAnswer<Row> {
  readonly data?: readonly Row[];
  readonly audits?: readonly Row[];
  readonly pagination: Pagination;
}

interface ListOptions<Row> {
  readonly period?: Period;
  readonly rowsAtOnce?: number;
  /**
   * Only visible rows are drawn, so it may grow long. A refetch would load all pages and move rows under the pointer,
   * so new rows only appear after "Refresh".
   */
  readonly isLong?: boolean;
  /** Refetch interval while some row changes by itself. */
  readonly pollMs?: (rows: readonly Row[]) => number | null;
}

export type ListQuery<E extends Endpoint> = UseInfiniteQueryResult<Listed<RowOf<E>>, Fault>;

const rowsOf = <Row>(pages: readonly ListAnswer<Row>[]): Row[] =>
  pages.flatMap(({ data, audits }) => data ?? audits ?? []);

/** Refreshed only by hand. */
const LONG = { refetchInterval: false, refetchOnWindowFocus: false, staleTime: 60_000 } as const;

/** A list of the service, page by page with cursors, so that none is skipped while new ones arrive. */
export function useList<E extends Endpoint>(
  endpoint: E,
  ...[sent]: Sent<E, ListOptions<RowOf<E>>>
): ListQuery<E> {
  type Row = RowOf<E>;
  const {
    params,
    query = {},
    period,
    rowsAtOnce = ROWS_AT_ONCE,
    isLong = false,
    pollMs,
  }: AnyRequest & ListOptions<Row> = sent ?? {};
  const api = useApi();
  return useInfiniteQuery<ListAnswer<Row>, Fault, Listed<Row>, readonly unknown[], string | null>({
    queryKey: [
      targetOf<Endpoint>(endpoint, { params }),
      'list',
      query,
      period?.range ?? period ?? null,
      rowsAtOnce,
    ],
    queryFn: async ({ pageParam, signal }) => {
      const dates = period === undefined ? {} : periodQuery(period, Date.now());
      const after = pageParam === null ? {} : { cursor: pageParam };
      const request = { params, query: { ...query, ...dates, limit: rowsAtOnce, ...after }, signal };
      return (await api.call<Endpoint>(endpoint, request)) as unknown as ListAnswer<Row>;
    },
    initialPageParam: null,
    getNextPageParam: ({ pagination }, pages) => nextPage(pagination.nextCursor, pages.length, isLong),
    select: ({ pages }) => {
      const cursor = pages.at(-1)?.pagination.nextCursor ?? null;
      return {
        rows: rowsOf(pages),
        total: pages[0]?.pagination.total ?? 0,
        isCut: cursor !== null && nextPage(cursor, pages.length, isLong) === null,
      };
    },
    ...(isLong ? LONG : {}),
    ...(pollMs === undefined
      ? {}
      : { refetchInterval: ({ state }) => pollMs(rowsOf(state.data?.pages ?? [])) ?? REFRESH_MS }),
  });
}
