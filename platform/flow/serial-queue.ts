interface SerialQueue {
  /** Runs the work when all earlier work has ended, successfully or not. */
  run<Result>(work: () => Promise<Result> | Result): Promise<Result>;
  /** Resolves when all queued work has ended; never rejects. */
  idle(): Promise<void>;
}

/** One piece of work at a time, in the order of the calls. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const running = last.then(work);
      last = running.catch(() => undefined);
      return running;
    },
    idle: async () => void (await last),
  };
}
