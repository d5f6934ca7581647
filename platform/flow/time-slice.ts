/** Longest stretch of work without yielding to the event loop, ms. */
const SLICE_MS = 2;

/**
 * A point at which work yields when its slice is used up; resolves to the ms it waited. Workers of one kind share one
 * slice: with one each, a dozen of them would block the loop a dozen times as long. `clock`: monotonic, ms.
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
    // Re-checked after each turn: a worker that resumed first may have used up the new slice.
    do {
      turn ??= nextTurn();
      await turn;
    } while (clock() - since >= SLICE_MS);
    return clock() - from;
  };
}

/** Runs work that is split into steps, and yields between them. */
export async function runSteps<Result>(
  steps: Generator<void, Result>,
  yieldTurn: () => Promise<unknown>,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldTurn();
  }
}

/** Runs such work in the background, until it is done or the returned function is called. */
export function runStepsInBackground(
  steps: Generator<void, void>,
  yieldTurn: () => Promise<unknown>,
): () => void {
  let isStopped = false;
  const untilStopped = function* (): Generator<void, void> {
    while (!isStopped && !steps.next().done) yield;
  };
  void runSteps(untilStopped(), yieldTurn);
  return () => {
    isStopped = true;
  };
}
