/** Longest stretch of work without letting others at the event loop, ms. */
export const SLICE_MS = 2;

/**
 * A point at which work gives way when its slice is used up; resolves to the ms it waited. Workers of one kind share one
 * slice: with one each, a dozen of them would hold the loop a dozen times as long. `clock`: monotonic, ms.
 */
export function timeSlice(clock: () => number): () => Promise<number> {
  let since = clock();
  let turn: Promise<void> | undefined;
  const nextTurn = (): Promise<void> =>
    new Promise((resolve) =>
      setImmediate(() => {
        turn = undefined;
        since = clock();
        resolve();
      }),
    );
  return async () => {
    const from = clock();
    if (from - since < SLICE_MS) return 0;
    // Looked at again after each turn: whoever resumed first may have used up the new slice.
    do {
      turn ??= nextTurn();
      await turn;
    } while (clock() - since >= SLICE_MS);
    return clock() - from;
  };
}

/** Does a piece of work that is cut into steps, and gives way between them. */
export async function takeSteps<Result>(
  steps: Generator<void, Result>,
  giveWay: () => Promise<unknown>,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await giveWay();
  }
}

/** Does such a piece of work beside everything else, until it is done or the returned function is called. */
export function takeStepsBeside(steps: Generator<void, void>, giveWay: () => Promise<unknown>): () => void {
  let isStopped = false;
  const untilStopped = function* (): Generator<void, void> {
    while (!isStopped && !steps.next().done) yield;
  };
  void takeSteps(untilStopped(), giveWay);
  return () => {
    isStopped = true;
  };
}
