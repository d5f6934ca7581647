const MINUTE_MS = 60_000;

/** Calls that may be made in any minute. */
export interface Budget {
  /** Counts a call; false when there is none left. */
  take(): boolean;
  /** Counts a call that is made whether or not there is one left. */
  note(): void;
}

/** `clock`: monotonic, ms. Exact over every stretch of 60 s: a bucket would let twice as many pass in the first. */
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
