import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { getSandbox, Sandbox, SandboxChange, updateSandbox } from '#schemas/api/sandboxes.ts';
import { useApi } from './api-context.ts';
import type { Fault } from './fault.ts';

/** What changes, given the sandbox as it is now: a list may have grown since it was shown. */
type Adjustment = (current: Sandbox) => SandboxChange;

/** Changes settings of a sandbox outside its form, and refreshes what shows them. */
export function useAdjustSandbox(slug: string, onSuccess?: (saved: Sandbox) => void) {
  const api = useApi();
  const queries = useQueryClient();
  const path = `/sandboxes/${encodeURIComponent(slug)}`;
  return useMutation<Sandbox, Fault, Adjustment>({
    mutationFn: async (adjustment) => {
      const { data } = await api.call<typeof getSandbox>(path);
      return api.call<typeof updateSandbox>(path, { method: 'PATCH', body: adjustment(data) });
    },
    onSuccess: (saved) => {
      queries.setQueriesData({ queryKey: [path] }, { ...saved, data: saved });
      for (const key of [path, '/sandboxes', `${path}/versions`])
        void queries.invalidateQueries({ queryKey: [key] });
      onSuccess?.(saved);
    },
  });
}
