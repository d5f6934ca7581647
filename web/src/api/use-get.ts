import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { RouteContract } from '#schemas/api/contract.ts';
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
}

/** An answer of the service, kept while it is looked at, and shown until one to a changed question is there. */
export function useGet<C extends RouteContract>(
  path: string,
  query: Query = {},
  { enabled = true, period, renewMs }: GetOptions = {},
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
    ...(renewMs === undefined ? {} : { refetchInterval: renewMs }),
  });
}
