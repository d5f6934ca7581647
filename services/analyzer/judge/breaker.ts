/** Spares an endpoint that does not work, and those who would wait for it. */
export interface Breaker {
  /** HALF_OPEN: its pause is over, and one call should find out whether it works again. */
  state(): 'CLOSED' | 'OPEN' | 'HALF_OPEN';
  succeeded(): void;
  failed(): void;
  /** Opens for so long, ms: the endpoint has asked for it. */
  hold(pauseMs: number): void;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly threshold: number;
  /** Pause after it has opened, ms; it doubles with each failure up to `maxPauseMs`. */
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
      // A call that began before it opened proves nothing about the endpoint now.
      if (state() === 'OPEN') return;
      failures = 0;
      opened = 0;
      if (openUntil !== null) options.onClose?.();
      openUntil = null;
    },
    failed: () => {
      failures += 1;
      if (state() === 'OPEN' || (state() === 'CLOSED' && failures < threshold)) return;
      open(Math.min(maxPauseMs, firstPauseMs * 2 ** opened));
      opened += 1;
    },
    hold: (pauseMs) => open(Math.min(maxPauseMs, pauseMs)),
  };
}
