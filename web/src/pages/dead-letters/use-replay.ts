import { useEffect, useMemo, useRef, useState } from 'react';
import { replayDeadLetters } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import { Fault } from '../../api/fault.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import {
  beginning,
  countMatching,
  type ReplayCalls,
  type ReplayFilter,
  type ReplayPlace,
  type ReplayProgress,
  replayFrom,
} from './replay-run.ts';
import { useRenewal } from './use-renewal.ts';

type ReplayState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'counting' }
  /** `isOther`: it is not the number that was confirmed. */
  | { readonly kind: 'counted'; readonly matched: number; readonly isOther: boolean }
  | { readonly kind: 'running'; readonly progress: ReplayProgress }
  | { readonly kind: 'stopped' | 'done'; readonly progress: ReplayProgress }
  | { readonly kind: 'failed'; readonly progress: ReplayProgress | null; readonly fault: Fault };

const faultIn = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault({ status: 0, code: 'UNKNOWN', message: String(error) });

/**
 * Counts, asks, replays: nothing is replayed but what was counted and confirmed. `filterNow`: a moving period begins where
 * it does when it is counted, and stays there.
 */
export function useReplay(filterNow: () => ReplayFilter) {
  const api = useApi();
  const renew = useRenewal();
  const [state, setState] = useState<ReplayState>({ kind: 'idle' });
  const place = useRef<ReplayPlace | null>(null);
  const filter = useRef<ReplayFilter>({});
  const latest = useRef(filterNow);
  latest.current = filterNow;
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  return useMemo(() => {
    const post: ReplayCalls['post'] = (body, idempotencyKey) =>
      api.call(replayDeadLetters, { body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    const failed = (error: unknown): void =>
      setState({ kind: 'failed', progress: place.current?.progress ?? null, fault: faultIn(error) });
    const run = async (from: ReplayPlace): Promise<void> => {
      stopper.current = new AbortController();
      const onPlace = (now: ReplayPlace): void => {
        place.current = now;
        setState({ kind: 'running', progress: now.progress });
      };
      const calls = { post, newKey: newIdempotencyKey, onPlace, signal: stopper.current.signal };
      const { isDone, progress } = await replayFrom(filter.current, from, calls);
      setState({ kind: isDone ? 'done' : 'stopped', progress });
      if (isDone) place.current = null;
      renew();
    };
    return {
      count: () => {
        place.current = null;
        filter.current = latest.current();
        setState({ kind: 'counting' });
        countMatching({ post }, filter.current).then(
          (matched) => setState({ kind: 'counted', matched, isOther: false }),
          failed,
        );
      },
      /** Counted once more: what came since the number was shown is not replayed unseen. */
      confirm: (confirmed: number) => {
        setState({ kind: 'counting' });
        countMatching({ post }, filter.current)
          .then((matched) =>
            matched === confirmed
              ? run(beginning(matched, newIdempotencyKey()))
              : setState({ kind: 'counted', matched, isOther: true }),
          )
          .catch(failed);
      },
      goOn: () => {
        if (place.current !== null) run(place.current).catch(failed);
      },
      stop: () => stopper.current.abort(),
      leave: () => {
        place.current = null;
        setState({ kind: 'idle' });
      },
      state,
    };
  }, [api, renew, state]);
}
