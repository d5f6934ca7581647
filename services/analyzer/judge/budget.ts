const MINUTE_MS = 60_000;

/** Limits the calls per minute. */
interface Budget {
  /** Counts a call; false when none is left. */
  take(): boolean;
  /** Counts a call that is made even when the budget is used up. */
  note(): void;
}

/** `clock`: monotonic, ms. Exact over any 60 s: a token bucket would allow twice as many in the first minute. */
export function createBudget(callsPerMinute: number, clock: () => number): Budget {
  const calls: number[] = [];
  let first = 0;
  const left = (): number => {
    const since = clock() - MINUTE_MS;
    while (first < calls.length && calls[first]! <= since) first++;
    if (first > callsPerMinute) {
      calls.splice(0, first);
      first = 0;
    }
    return callsPerMinute - (calls.length - first);
  };
  return {
    take: () => left() > 0 && calls.push(clock()) > 0,
    note: () => {
      left();
      calls.push(clock());
    },
  };
}
