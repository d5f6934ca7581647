interface SerialQueue {
  /** Runs the work after all earlier work has finished, successfully or not. */
  run<Result>(work: () => Promise<Result> | Result): Promise<Result>;
  /** Resolves when all queued work has finished; never rejects. */
  idle(): Promise<void>;
}

/** Runs one piece of work at a time, in the order of the calls. */
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
