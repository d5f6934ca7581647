/** Resolution of timers. */
const TIMER_STEP_MS = 1;

interface BatchLoopOptions {
  /** Ms until the next batch is due; 0 or less: now; null: nothing is waiting. */
  readonly dueInMs: () => number | null;
  /** Takes the waiting calls and processes them. Must not reject: it reports failures to its callers itself. */
  readonly run: () => Promise<void>;
  /**
   * When a due batch starts: at the end of the turn, so that all calls of a turn share it (default), or immediately.
   */
  readonly begins?: 'turn' | 'now';
  /** Maximum number of batches in flight; by default 1. */
  readonly concurrency?: number;
  /** False: a batch waiting for its time does not keep the process alive. */
  readonly keepsAlive?: boolean;
}

/**
 * Decides when a micro-batch starts: when it is due and no other is in flight. Meanwhile the caller collects calls,
 * because a batch costs about the same with one call or fifty. Call the returned function whenever the result of
 * `dueInMs` may have changed.
 */
export function createBatchLoop(options: BatchLoopOptions): () => void {
  const { dueInMs, run, begins = 'turn', concurrency = 1, keepsAlive = true } = options;
  let inFlight = 0;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires, monotonic, ms. */
  let timerAt = 0;
  let immediate: NodeJS.Immediate | undefined;

  const start = async (): Promise<void> => {
    timer = undefined;
    immediate = undefined;
    inFlight += 1;
    await run();
    inFlight -= 1;
    wake();
  };
  const wake = (): void => {
    if (inFlight >= concurrency || immediate !== undefined) return;
    const delayMs = dueInMs();
    const isLater = delayMs !== null && delayMs > 0;
    const dueAt = isLater ? performance.now() + delayMs : 0;
    // Thousands of calls change nothing; the existing timer is accurate enough for them.
    if (isLater && timer !== undefined && Math.abs(dueAt - timerAt) < TIMER_STEP_MS) return;
    clearTimeout(timer);
    timer = undefined;
    if (isLater) {
      timerAt = dueAt;
      timer = setTimeout(start, delayMs);
      if (!keepsAlive) timer.unref();
    } else if (delayMs === null) return;
    else if (begins === 'turn') immediate = setImmediate(start);
    else void start();
  };
  return wake;
}
