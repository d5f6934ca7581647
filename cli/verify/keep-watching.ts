/** No check of a watch succeeded for so long that an operator has to find out why. */
export class WatchGaveUp extends Error {
  /** Not that of a fault: nothing is known. */
  readonly exitCode = 3;
  constructor(failures: number, seconds: number, last: string) {
    super(
      `Gave up: ${failures} checks in a row failed, for ${seconds} seconds. The ledger was not checked in that time. Last failure: ${last}. Find out why the service does not answer, then start the watch again`,
    );
    this.name = 'WatchGaveUp';
  }
}

interface WatchLoop {
  /** One round; rejects when it found something out, or could not. */
  readonly look: () => Promise<void>;
  /** Whether a failed round may be repeated: what was found out is final. */
  readonly mayPass: (error: Error) => boolean;
  readonly everyMs: number;
  /** How long rounds may fail. */
  readonly giveUpAfterMs: number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly onFailure: (error: Error) => void;
}

/** Looks again and again. Ends with what a round found out, or with `WatchGaveUp`. */
export async function keepWatching(loop: WatchLoop): Promise<never> {
  const { look, mayPass, everyMs, giveUpAfterMs, clock, sleep, onFailure } = loop;
  let failures = 0;
  for (let succeededAt = clock(); ; ) {
    try {
      await look();
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
