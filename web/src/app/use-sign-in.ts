import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewAccount, NewSession } from '#schemas/api/accounts/accounts.ts';
import { createAccount, createSession, deleteSession } from '#schemas/endpoints.ts';
import { useApi } from '../api/api-context.ts';
import type { Api } from '../api/call.ts';
import type { Fault } from '../api/fault.ts';
import { SESSION_KEY, type Session } from '../api/use-session.ts';

function useBegin<Input>(begin: (api: Api, input: Input) => Promise<Session>) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation<Session, Fault, Input>({
    mutationFn: (input) => begin(api, input),
    onSuccess: (session) => {
      api.setCsrfToken(session.csrfToken);
      // What another user of this browser looked at before is nobody's business.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
      queries.setQueryData(SESSION_KEY, session);
    },
  });
}

export const useSignIn = (): UseMutationResult<Session, Fault, NewSession> =>
  useBegin(async (api, body) => {
    const { data } = await api.call(createSession, { body });
    return data;
  });

export const useSignUp = (): UseMutationResult<Session, Fault, NewAccount> =>
  useBegin(async (api, body) => {
    const { data } = await api.call(createAccount, { body });
    return data;
  });

export function useSignOut(): UseMutationResult<void, Fault, void> {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation<void, Fault, void>({
    mutationFn: async () => void (await api.call(deleteSession)),
    onSuccess: () => {
      api.setCsrfToken(null);
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
      queries.setQueryData(SESSION_KEY, null);
    },
  });
}
