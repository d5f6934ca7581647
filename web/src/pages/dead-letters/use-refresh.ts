import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { getReconciliation, listAudits, listDeadLetterReasons, listDeadLetters } from '#schemas/endpoints.ts';

/** Lists show a replay shortly after its response, when its first step is stored. */
const REFRESHED_AFTER_MS = [0, 2_000, 8_000] as const;
const SHOWN_BY = [listDeadLetters, listDeadLetterReasons, listAudits, getReconciliation] as const;

/** Refreshes everything that shows dead letters, now and a little later. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const own = timers.current;
    return () => {
      for (const timer of own) clearTimeout(timer);
    };
  }, []);
  return useCallback(() => {
    for (const ms of REFRESHED_AFTER_MS) {
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        for (const { path } of SHOWN_BY) void queries.invalidateQueries({ queryKey: [path] });
      }, ms);
      timers.current.add(timer);
    }
  }, [queries]);
}
