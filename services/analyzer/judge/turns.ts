/** Lets so many in at once; the others wait in line. */
export interface Turns {
  /**
   * Resolves to what ends the turn, or null when none came before `until` (monotonic, ms). Rejects with the signal's
   * reason.
   */
  take(until: number, signal: AbortSignal): Promise<(() => void) | null>;
}

export function createTurns(atOnce: number, clock: () => number): Turns {
  const waiting = new Set<() => void>();
  let taken = 0;

  const begin = (): (() => void) => {
    taken += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      taken -= 1;
      const [next] = waiting;
      next?.();
    };
  };
  return {
    take: (until, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (until <= clock()) return Promise.resolve(null);
      if (taken < atOnce) return Promise.resolve(begin());
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          waiting.delete(onTurn);
        };
        const onTurn = (): void => {
          leave();
          resolve(begin());
        };
        const onAbort = (): void => {
          leave();
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          leave();
          resolve(null);
        }, until - clock());
        signal.addEventListener('abort', onAbort);
        waiting.add(onTurn);
      });
    },
  };
}
