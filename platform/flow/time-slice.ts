/** Longest stretch of work without yielding to the event loop, ms. */
const SLICE_MS = 2;

/**
 * A point at which work yields: a promise of the loop's next turn, or, nearly always, null because nothing is waiting.
 */
export type YieldTurn = () => Promise<unknown> | null;

/**
 * A point at which work yields once its slice is used up. Workers of one kind share one slice: with one each, a dozen
 * of them would block the loop a dozen times as long. `clock`: monotonic, ms.
 */
export function timeSlice(clock: () => number): YieldTurn {
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
  const isUsedUp = (): boolean => clock() - since >= SLICE_MS;
  const untilNextSlice = async (): Promise<void> => {
    // Re-checked after each turn: a worker that resumed first may have used up the new slice.
    do {
      turn ??= nextTurn();
      await turn;
    } while (isUsedUp());
  };
  return () => (isUsedUp() ? untilNextSlice() : null);
}

/** Runs work that is split into steps, yielding between them. */
export async function runSteps<Result>(
  steps: Generator<void, Result>,
  yieldTurn: YieldTurn,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const turn = yieldTurn();
    if (turn !== null) await turn;
  }
}

/** Runs such work in the background until it is done or the returned function is called. */
export function runStepsInBackground(steps: Generator<void, void>, yieldTurn: YieldTurn): () => void {
  let isStopped = false;
  const untilStopped = function* (): Generator<void, void> {
    while (!isStopped && !steps.next().done) yield;
  };
  void runSteps(untilStopped(), yieldTurn);
  return () => {
    isStopped = true;
  };
}
