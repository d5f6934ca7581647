import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import type { NewAccount, NewCredentials, NewSession } from '#schemas/api/accounts/accounts.ts';
import { createAccount, createSession, deleteSession, setCredentials } from '#schemas/endpoints.ts';
import { useApi } from '../api/api-context.ts';
import type { Api } from '../api/call.ts';
import type { Fault } from '../api/fault.ts';
import { SESSION_KEY, type Session } from '../api/use-session.ts';
import { createFirstRecords, keepFirstKey } from './first-records.ts';

function useStartSession<Input>(start: (api: Api, input: Input) => Promise<Session>, onStarted?: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation<Session, Fault, Input>({
    mutationFn: (input) => start(api, input),
    onSuccess: (session) => {
      api.setCsrfToken(session.csrfToken);
      // Users of the same browser must not see each other's data.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
      onStarted?.();
      queries.setQueryData(SESSION_KEY, session);
    },
  });
}

export const useSignIn = (): UseMutationResult<Session, Fault, NewSession> =>
  useStartSession(async (api, body) => {
    const { data } = await api.call(createSession, { body });
    return data;
  });

/** Signs up, creates the sandbox and key needed for a first audit, and shows the first steps. */
export function useSignUp(): UseMutationResult<Session, Fault, NewAccount> {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const made = useRef<string | null>(null);
  return useStartSession(
    async (api, body) => {
      const { data } = await api.call(createAccount, { body });
      api.setCsrfToken(data.csrfToken);
      made.current = await createFirstRecords(api);
      return data;
    },
    () => {
      keepFirstKey(queries, made.current);
      go('/welcome');
    },
  );
}

/** Gives the user of a one-time link an email and a password. */
export function useKeepWorkspace(): UseMutationResult<Session, Fault, NewCredentials> {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation<Session, Fault, NewCredentials>({
    mutationFn: async (body) => (await api.call(setCredentials, { body })).data,
    onSuccess: (session) => void queries.setQueryData(SESSION_KEY, session),
  });
}

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
