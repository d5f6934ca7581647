import { useMutation, useQueryClient } from '@tanstack/react-query';
import { targetOf } from '#schemas/api/openapi/request.ts';
import type { Sandbox, SandboxChange } from '#schemas/api/sandboxes.ts';
import { getSandbox, listSandboxes, listSandboxVersions, updateSandbox } from '#schemas/endpoints.ts';
import { useApi } from './api-context.ts';
import type { Fault } from './fault.ts';

/** The change, given the current sandbox: a list may have grown since it was shown. */
type Adjustment = (current: Sandbox) => SandboxChange;

/** Changes sandbox settings outside the form, and refreshes what shows them. */
export function useAdjustSandbox(slug: string, onSuccess?: (saved: Sandbox) => void) {
  const api = useApi();
  const queries = useQueryClient();
  const params = { id: slug };
  return useMutation<Sandbox, Fault, Adjustment>({
    mutationFn: async (adjustment) => {
      const { data } = await api.call(getSandbox, { params });
      return api.call(updateSandbox, { params, body: adjustment(data) });
    },
    onSuccess: (saved) => {
      const one = targetOf(getSandbox, { params });
      queries.setQueriesData({ queryKey: [one] }, { ...saved, data: saved });
      for (const key of [one, listSandboxes.path, targetOf(listSandboxVersions, { params })])
        void queries.invalidateQueries({ queryKey: [key] });
      onSuccess?.(saved);
    },
  });
}
