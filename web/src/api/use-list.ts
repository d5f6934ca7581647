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
/** Of a list that polls while something in it changes by itself, when nothing does. */
const REFRESH_MS = 60_000;

/** The audits' list is named after what is in it, as the interface says. */
type RowOf<E extends Endpoint> =
  AnswerOf<E> extends { readonly data: readonly (infer Row)[] }
    ? Row
    : AnswerOf<E> extends { readonly audits: readonly (infer Row)[] }
      ? Row
      : never;

interface Listed<Row> {
  readonly rows: readonly Row[];
  /** Of all pages, shown or not. */
  readonly total: number;
  /** As many as it may hold are there, and more could be asked for. */
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
   * Only rows in sight are drawn, so it may grow long. Asked for anew, all pages would be, and rows would move under the
   * pointer: what is new is behind "Renew".
   */
  readonly isLong?: boolean;
  /** While some row changes by itself: how soon it is asked for again. */
  readonly pollMs?: (rows: readonly Row[]) => number | null;
}

export type ListQuery<E extends Endpoint> = UseInfiniteQueryResult<Listed<RowOf<E>>, Fault>;

const rowsOf = <Row>(pages: readonly ListAnswer<Row>[]): Row[] =>
  pages.flatMap(({ data, audits }) => data ?? audits ?? []);

/** Renewed by hand only. */
const LONG = { refetchInterval: false, refetchOnWindowFocus: false, staleTime: 60_000 } as const;

/** A list of the service, page behind page by the cursor, so that none is left out while new ones come. */
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
      const behind = pageParam === null ? {} : { cursor: pageParam };
      const asked = { params, query: { ...query, ...dates, limit: rowsAtOnce, ...behind }, signal };
      return (await api.call<Endpoint>(endpoint, asked)) as unknown as ListAnswer<Row>;
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
