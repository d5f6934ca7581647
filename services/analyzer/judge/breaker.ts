import { pauseAfter } from '#platform/flow/backoff.ts';

/** A circuit breaker: avoids calls to a broken endpoint, and the wait for them. */
interface Breaker {
  /** HALF_OPEN: the pause is over, and one call should find out whether the endpoint works again. */
  state(): 'CLOSED' | 'OPEN' | 'HALF_OPEN';
  succeeded(): void;
  failed(): void;
  /** Opens for this long, ms, at the endpoint's request. */
  pause(pauseMs: number): void;
}

interface BreakerOptions {
  /** Consecutive failures that open it. */
  readonly threshold: number;
  /** First pause when it opens, ms; it doubles with each failure up to `maxPauseMs`. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly onOpen?: () => void;
  readonly onClose?: () => void;
}

export function createBreaker(options: BreakerOptions): Breaker {
  const { threshold, firstPauseMs, maxPauseMs, clock } = options;
  let failures = 0;
  let opened = 0;
  let openUntil: number | null = null;

  const open = (pauseMs: number): void => {
    if (openUntil === null) options.onOpen?.();
    openUntil = Math.max(openUntil ?? 0, clock() + pauseMs);
  };
  const state = (): 'CLOSED' | 'OPEN' | 'HALF_OPEN' => {
    if (openUntil === null) return 'CLOSED';
    return clock() < openUntil ? 'OPEN' : 'HALF_OPEN';
  };
  return {
    state,
    succeeded: () => {
      // A call that started before the breaker opened proves nothing about the endpoint now.
      if (state() === 'OPEN') return;
      failures = 0;
      opened = 0;
      if (openUntil !== null) options.onClose?.();
      openUntil = null;
    },
    failed: () => {
      failures += 1;
      if (state() === 'OPEN' || (state() === 'CLOSED' && failures < threshold)) return;
      open(pauseAfter({ firstMs: firstPauseMs, maxMs: maxPauseMs }, opened));
      opened += 1;
    },
    pause: (pauseMs) => open(Math.min(maxPauseMs, pauseMs)),
  };
}
