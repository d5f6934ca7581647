import { useMutation, useQuery } from '@tanstack/react-query';
import type { Verification, VerificationJob } from '#schemas/api/evidence/hash-chain.ts';
import type { QueryOf } from '#schemas/api/openapi/request.ts';
import { getVerification, verifyHashChain } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';

const LOOK_MS = 500;

/** The service answers with a job where it was asked for one, and where the ledger is long. */
export const isJob = (data: Verification | VerificationJob): data is VerificationJob => 'progress' in data;

/** Begins a verification; its job is looked at from then on. */
export function useBegin(onBegun: (job: VerificationJob) => void) {
  const api = useApi();
  return useMutation<VerificationJob, Fault, QueryOf<typeof verifyHashChain>>({
    mutationFn: async (query) => {
      const { data } = await api.call(verifyHashChain, { query: { ...query, job: 'true' } });
      return data as unknown as VerificationJob;
    },
    onSuccess: onBegun,
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
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? LOOK_MS : false),
  });
}

/** What is new since the last verification, and a sample of what is old: little work, done when the page is opened. */
export function useQuickLook(isEnabled: boolean) {
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
