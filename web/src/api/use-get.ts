import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { RouteContract } from '#schemas/api/contract.ts';
import type { Dates } from '../address/counted.ts';
import { type Period, periodQuery } from '../address/period.ts';
import { useApi } from './api-context.ts';
import type { AnswerOf, Query } from './call.ts';
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
export function useGet<C extends RouteContract>(
  path: string,
  query: Query = {},
  { enabled = true, period, renewMs, isKept = false }: GetOptions = {},
): UseQueryResult<AnswerOf<C>, Fault> {
  const api = useApi();
  const asked = period?.range ?? period ?? null;
  return useQuery<AnswerOf<C>, Fault>({
    queryKey: [path, query, asked],
    queryFn: ({ signal }) => {
      const dates = period === undefined ? {} : periodQuery(period, Date.now());
      return api.call<C>(path, { query: { ...query, ...dates }, signal });
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
export function useCounted<C extends RouteContract>(
  path: string,
  query: Query,
  period: Period,
): UseQueryResult<AnswerOf<C> & { readonly dates: Dates }, Fault> {
  const api = useApi();
  return useQuery<AnswerOf<C> & { readonly dates: Dates }, Fault>({
    queryKey: [path, 'counted', query, period.range ?? period],
    queryFn: async ({ signal }) => {
      const asked = periodQuery(period, Date.now());
      const answer = await api.call<C>(path, { query: { ...query, ...asked }, signal });
      return Object.assign(answer as AnswerOf<C> & { readonly asOf: string }, {
        dates: { from: asked.from, to: asked.to ?? (answer as { readonly asOf: string }).asOf },
      });
    },
    placeholderData: keepPreviousData,
  });
}
