import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import { getCurrentSession } from '#schemas/endpoints.ts';
import { useApi } from './api-context.ts';
import { Fault } from './fault.ts';

/** Whoever is signed in, as every answer that signs in says it. */
export type Session = AnswerOf<typeof getCurrentSession>['data'];

export const SESSION_KEY = [getCurrentSession.path] as const;

/** Null: nobody is signed in. */
export function useSession(): UseQueryResult<Session | null, Fault> {
  const api = useApi();
  return useQuery<Session | null, Fault>({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      try {
        const { data } = await api.call(getCurrentSession, { signal });
        api.setCsrfToken(data.csrfToken);
        return data;
      } catch (error) {
        if (error instanceof Fault && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
