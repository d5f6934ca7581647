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
  /** False: not yet. */
  readonly enabled?: boolean;
  /** Also asked for. A moving one is computed at each call, so that the question stays the same as time goes on. */
  readonly period?: Period;
  /** Asked again after that time, where it changes while somebody waits for it. */
  readonly renewMs?: number;
  /** Asked again by hand only. */
  readonly isKept?: boolean;
}

/** An answer of the service, kept while it is looked at, and shown until one to a changed question is there. */
export function useGet<E extends Endpoint>(
  endpoint: E,
  ...[sent]: Sent<E, GetOptions>
): UseQueryResult<AnswerOf<E>, Fault> {
  const {
    params,
    query = {},
    enabled = true,
    period,
    renewMs,
    isKept = false,
  }: AnyRequest & GetOptions = sent ?? {};
  const api = useApi();
  const range = period?.range ?? period ?? null;
  return useQuery<AnswerOf<E>, Fault>({
    queryKey: [targetOf<Endpoint>(endpoint, { params }), query, range],
    queryFn: async ({ signal }) => {
      const dates = period === undefined ? {} : periodQuery(period, Date.now());
      const asked = { params, query: { ...query, ...dates }, signal };
      return (await api.call<Endpoint>(endpoint, asked)) as AnswerOf<E>;
    },
    enabled,
    placeholderData: keepPreviousData,
    ...(isKept ? { refetchInterval: false, refetchOnWindowFocus: false, staleTime: 60_000 } : {}),
    ...(renewMs === undefined ? {} : { refetchInterval: renewMs }),
  });
}

/**
 * The answer of a question about a period, with the dates that its numbers count: what they lead to has the same ones, also
 * while time goes by and more records come.
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
      const asked = periodQuery(period, Date.now());
      const answer = await api.call<Endpoint>(endpoint, { query: { ...query, ...asked }, signal });
      return Object.assign(answer as AnswerOf<E> & { readonly asOf: string }, {
        dates: { from: asked.from, to: asked.to ?? (answer as { readonly asOf: string }).asOf },
      });
    },
    placeholderData: keepPreviousData,
  });
}
