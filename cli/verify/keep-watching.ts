/** No check of a watch has succeeded for so long that an operator must find out why. */
export class WatchGaveUp extends Error {
  /** Differs from the exit code for faults: nothing is known. */
  readonly exitCode = 3;
  constructor(failures: number, seconds: number, last: string) {
    super(
      `Gave up: ${failures} checks in a row failed, for ${seconds} seconds. The ledger was not checked in that time. Last failure: ${last}. Find out why the service does not answer, then start the watch again`,
    );
    this.name = 'WatchGaveUp';
  }
}

interface WatchLoop {
  /** One round; rejects when it found a fault or could not finish. */
  readonly check: () => Promise<void>;
  /** Whether a failed round may be retried: a fault that was found is final. */
  readonly mayPass: (error: Error) => boolean;
  readonly everyMs: number;
  /** How long rounds may keep failing. */
  readonly giveUpAfterMs: number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly onFailure: (error: Error) => void;
}

/** Repeats rounds. Ends with the fault that a round found, or with `WatchGaveUp`. */
export async function keepWatching(loop: WatchLoop): Promise<never> {
  const { check, mayPass, everyMs, giveUpAfterMs, clock, sleep, onFailure } = loop;
  let failures = 0;
  for (let succeededAt = clock(); ; ) {
    try {
      await check();
      failures = 0;
      succeededAt = clock();
    } catch (error) {
      if (!(error instanceof Error) || !mayPass(error)) throw error;
      failures += 1;
      const failingMs = clock() - succeededAt;
      if (failingMs >= giveUpAfterMs)
        throw new WatchGaveUp(failures, Math.round(failingMs / 1_000), error.message);
      onFailure(error);
    }
    await sleep(everyMs);
  }
}
