import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import {
  type AnswerOf,
  type AnyRequest,
  type Endpoint,
  type QueryOf,
  type Sent,
  targetOf,
} from '#schemas/api/openapi/request.ts';
import type { Dates } from '../address/counted.ts';
import { type Period, periodQuery } from '../address/period.ts';
import { useApi } from './api-context.ts';
import type { Fault } from './fault.ts';

interface GetOptions {
  /** False: do not request yet. */
  readonly enabled?: boolean;
  /** Added to the query. A moving period is computed at each call, so that the query key stays the same over time. */
  readonly period?: Period;
  /** Refetch interval, for data that changes while the user waits for it. */
  readonly refreshMs?: number;
  /** Refetched only by hand. */
  readonly isKept?: boolean;
}

/** A response of the service, kept while it is shown, and replaced when the response to a changed request arrives. */
export function useGet<E extends Endpoint>(
  endpoint: E,
  ...[sent]: Sent<E, GetOptions>
): UseQueryResult<AnswerOf<E>, Fault> {
  const {
    params,
    query = {},
    enabled = true,
    period,
    refreshMs,
    isKept = false,
  }: AnyRequest & GetOptions = sent ?? {};
  const api = useApi();
  const range = period?.range ?? period ?? null;
  return useQuery<AnswerOf<E>, Fault>({
    queryKey: [targetOf<Endpoint>(endpoint, { params }), query, range],
    queryFn: async ({ signal }) => {
      const dates = period === undefined ? {} : periodQuery(period, Date.now());
      const request = { params, query: { ...query, ...dates }, signal };
      return (await api.call<Endpoint>(endpoint, request)) as AnswerOf<E>;
    },
    enabled,
    placeholderData: keepPreviousData,
    ...(isKept ? { refetchInterval: false, refetchOnWindowFocus: false, staleTime: 60_000 } : {}),
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  });
}

/**
 * The response for a period, with the dates that its numbers cover: the lists behind the numbers use the same dates,
 * even while time passes and more records arrive.
 */
export function useCounted<E extends Endpoint>(
  endpoint: E,
  query: QueryOf<E>,
  period: Period,
): UseQueryResult<AnswerOf<E> & { readonly dates: Dates }, Fault> {
  const api = useApi();
  return useQuery<AnswerOf<E> & { readonly dates: Dates }, Fault>({
    queryKey: [endpoint.path, 'counted', query, period.range ?? period],
    queryFn: async ({ signal }) => {
      const request = periodQuery(period, Date.now());
      const answer = await api.call<Endpoint>(endpoint, { query: { ...query, ...request }, signal });
      return Object.assign(answer as AnswerOf<E> & { readonly asOf: string }, {
        dates: { from: request.from, to: request.to ?? (answer as { readonly asOf: string }).asOf },
      });
    },
    placeholderData: keepPreviousData,
  });
}
