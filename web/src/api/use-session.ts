import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import { getCurrentSession } from '#schemas/endpoints.ts';
import { useApi } from './api-context.ts';
import { Fault } from './fault.ts';

/** The signed-in user, in the form of every response that signs in. */
export type Session = AnswerOf<typeof getCurrentSession>['data'];

export const SESSION_KEY = [getCurrentSession.path] as const;

/** Whether the service ended the session, for example because it expired, instead of the user. */
export const ENDED_KEY = ['session-ended'] as const;

export const useSessionEnded = (): boolean =>
  useQuery({ queryKey: ENDED_KEY, queryFn: () => false, enabled: false }).data === true;

/** Null: not signed in. */
export function useSession(): UseQueryResult<Session | null, Fault> {
  const api = useApi();
  const queries = useQueryClient();
  return useQuery<Session | null, Fault>({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      try {
        const { data } = await api.call(getCurrentSession, { signal });
        api.setCsrfToken(data.csrfToken);
        return data;
      } catch (error) {
        if (error instanceof Fault && error.status === 401) {
          // Without a cookie the code differs.
          if (error.code === 'INVALID_SESSION') queries.setQueryData(ENDED_KEY, true);
          return null;
        }
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
