import { useMutation, useQuery } from '@tanstack/react-query';
import type { Verification, VerificationJob } from '#schemas/api/evidence/hash-chain.ts';
import type { QueryOf } from '#schemas/api/openapi/request.ts';
import { getVerification, verifyHashChain } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';

const POLL_MS = 500;

/** The service returns a job when one was requested, and when the ledger is long. */
export const isJob = (data: Verification | VerificationJob): data is VerificationJob => 'progress' in data;

/** Starts a verification, whose job is then polled. */
export function useStartVerification(onStarted: (job: VerificationJob) => void) {
  const api = useApi();
  return useMutation<VerificationJob, Fault, QueryOf<typeof verifyHashChain>>({
    mutationFn: async (query) => {
      const { data } = await api.call(verifyHashChain, { query: { ...query, job: 'true' } });
      return data as unknown as VerificationJob;
    },
    onSuccess: onStarted,
  });
}

export function useJob(id: string | null) {
  const api = useApi();
  return useQuery<VerificationJob, Fault>({
    queryKey: [getVerification.path, id],
    queryFn: async ({ signal }) => {
      return (await api.call(getVerification, { params: { id: id ?? '' }, signal })).data;
    },
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? POLL_MS : false),
  });
}

/**
 * Verifies new entries since the last verification, and a sample of old ones: little work, done when the page is
 * opened.
 */
export function useQuickCheck(isEnabled: boolean) {
  const api = useApi();
  return useQuery<Verification | VerificationJob, Fault>({
    queryKey: [verifyHashChain.path, 'incremental'],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(verifyHashChain, { query: { mode: 'incremental' }, signal });
      return data as unknown as Verification | VerificationJob;
    },
    enabled: isEnabled,
    staleTime: 30_000,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
}
