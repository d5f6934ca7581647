import { type Backoff, pauseAfter } from './backoff.ts';

interface BackgroundJobOptions {
  /** One run. It resolves to false if it should be retried later than usual. */
  readonly run: (stopping: AbortSignal) => Promise<boolean | undefined> | Promise<void>;
  /** Called with the error of a run that rejected. */
  readonly onFailure: (error: unknown) => void;
  /** Pause before the first run, ms; by default `everyMs`. */
  readonly firstAfterMs?: number;
  /** Pause between runs, ms. */
  readonly everyMs: number;
  /** While runs fail, the pause doubles up to this, ms; by default it does not grow. */
  readonly maxPauseMs?: number;
}

interface BackgroundJob {
  /** Aborts the signal, waits for a run in progress, and starts no other. */
  stop(): Promise<void>;
}

/** Runs a job periodically, one run at a time. */
export function startBackgroundJob(options: BackgroundJobOptions): BackgroundJob {
  const { run, onFailure, everyMs, firstAfterMs = everyMs, maxPauseMs = everyMs } = options;
  const backoff: Backoff = { firstMs: everyMs, maxMs: maxPauseMs };
  const stopping = new AbortController();
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const runOnce = async (): Promise<void> => {
    let isDone = true;
    try {
      isDone = (await run(stopping.signal)) !== false;
    } catch (error) {
      isDone = false;
      onFailure(error);
    }
    failures = isDone ? 0 : failures + 1;
    schedule(pauseAfter(backoff, failures));
  };
  const schedule = (pauseMs: number): void => {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = runOnce();
    }, pauseMs);
  };

  schedule(firstAfterMs);
  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
