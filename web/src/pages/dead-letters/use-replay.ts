import { useEffect, useMemo, useRef, useState } from 'react';
import { replayDeadLetters } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import { Fault } from '../../api/fault.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import {
  countMatching,
  type ReplayCalls,
  type ReplayFilter,
  type ReplayPoint,
  type ReplayProgress,
  replayFrom,
  startPoint,
} from './replay-run.ts';
import { useRefresh } from './use-refresh.ts';

type ReplayState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'counting' }
  /** `isOther`: it differs from the confirmed number. */
  | { readonly kind: 'counted'; readonly matched: number; readonly isOther: boolean }
  | { readonly kind: 'running'; readonly progress: ReplayProgress }
  | { readonly kind: 'stopped' | 'done'; readonly progress: ReplayProgress }
  | { readonly kind: 'failed'; readonly progress: ReplayProgress | null; readonly fault: Fault };

const faultIn = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault({ status: 0, code: 'UNKNOWN', message: String(error) });

/**
 * Counts, asks, replays: only what was counted and confirmed is replayed. `filterNow`: the start of a moving period is
 * fixed when it is counted.
 */
export function useReplay(filterNow: () => ReplayFilter) {
  const api = useApi();
  const refresh = useRefresh();
  const [state, setState] = useState<ReplayState>({ kind: 'idle' });
  const point = useRef<ReplayPoint | null>(null);
  const filter = useRef<ReplayFilter>({});
  const latest = useRef(filterNow);
  latest.current = filterNow;
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  return useMemo(() => {
    const post: ReplayCalls['post'] = (body, idempotencyKey) =>
      api.call(replayDeadLetters, { body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    const failed = (error: unknown): void =>
      setState({ kind: 'failed', progress: point.current?.progress ?? null, fault: faultIn(error) });
    const run = async (from: ReplayPoint): Promise<void> => {
      stopper.current = new AbortController();
      const onPoint = (now: ReplayPoint): void => {
        point.current = now;
        setState({ kind: 'running', progress: now.progress });
      };
      const calls = { post, newKey: newIdempotencyKey, onPoint, signal: stopper.current.signal };
      const { isDone, progress } = await replayFrom(filter.current, from, calls);
      setState({ kind: isDone ? 'done' : 'stopped', progress });
      if (isDone) point.current = null;
      refresh();
    };
    return {
      count: () => {
        point.current = null;
        filter.current = latest.current();
        setState({ kind: 'counting' });
        countMatching({ post }, filter.current).then(
          (matched) => setState({ kind: 'counted', matched, isOther: false }),
          failed,
        );
      },
      /** Counts again, so that dead letters added since the number was shown are not replayed unseen. */
      confirm: (confirmed: number) => {
        setState({ kind: 'counting' });
        countMatching({ post }, filter.current)
          .then((matched) =>
            matched === confirmed
              ? run(startPoint(matched, newIdempotencyKey()))
              : setState({ kind: 'counted', matched, isOther: true }),
          )
          .catch(failed);
      },
      resume: () => {
        if (point.current !== null) run(point.current).catch(failed);
      },
      stop: () => stopper.current.abort(),
      leave: () => {
        point.current = null;
        setState({ kind: 'idle' });
      },
      state,
    };
  }, [api, refresh, state]);
}
