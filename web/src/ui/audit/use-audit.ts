import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type AnswerOf, targetOf } from '#schemas/api/openapi/request.ts';
import { getAudit } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { isFinal } from './audit-status.tsx';

/** How long the service holds the response while waiting for a final state. */
const WAIT_SECONDS = 5;
const BETWEEN_MS = 500;

type Answer = AnswerOf<typeof getAudit>;

/**
 * An audit with its steps: its current state at once, and then updates until it is final. `moreThan`: number of
 * analyses started when it was replayed, which the list of audits shows a moment later; null: it was not replayed.
 */
export function useAudit(id: string, moreThan: number | null = null): UseQueryResult<Answer, Fault> {
  const api = useApi();
  const sent = { params: { id } };
  const key = [targetOf(getAudit, sent)];
  return useQuery<Answer, Fault>({
    queryKey: key,
    queryFn: ({ signal, client }) => {
      const known = client.getQueryData<Answer>(key);
      const isAwaited = known !== undefined && !isFinal(known.status);
      return api.call(getAudit, { ...sent, query: isAwaited ? { wait: WAIT_SECONDS } : {}, signal });
    },
    refetchInterval: ({ state: { data } }) =>
      data === undefined || (isFinal(data.status) && data.attempts !== moreThan) ? false : BETWEEN_MS,
  });
}
