/** Resolution of timers. */
const TIMER_STEP_MS = 1;

interface BatchLoopOptions {
  /** Ms until the next batch is due; 0 or less: now; null: nothing waits. */
  readonly dueInMs: () => number | null;
  /** Takes what waits and processes it. Must not reject: it reports failures to its callers itself. */
  readonly run: () => Promise<void>;
  /** When a batch that is due begins: at the end of the turn, so that all calls of a turn share it (default), or now. */
  readonly begins?: 'turn' | 'now';
  /** Maximum of batches in flight; by default 1. */
  readonly concurrency?: number;
  /** False: a batch that waits for its time does not keep the process alive. */
  readonly keepsAlive?: boolean;
}

/**
 * Decides when a micro-batch begins: when it is due, and not while another one is in flight. Meanwhile calls gather
 * with the caller, because a batch costs about the same whether it carries one call or fifty. Call the returned
 * function whenever the result of `dueInMs` may have changed.
 */
export function createBatchLoop(options: BatchLoopOptions): () => void {
  const { dueInMs, run, begins = 'turn', concurrency = 1, keepsAlive = true } = options;
  let inFlight = 0;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires, monotonic, ms. */
  let timerAt = 0;
  let immediate: NodeJS.Immediate | undefined;

  const begin = async (): Promise<void> => {
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
    // Calls that change nothing come by the thousand: the existing timer is good enough.
    if (isLater && timer !== undefined && Math.abs(dueAt - timerAt) < TIMER_STEP_MS) return;
    clearTimeout(timer);
    timer = undefined;
    if (isLater) {
      timerAt = dueAt;
      timer = setTimeout(begin, delayMs);
      if (!keepsAlive) timer.unref();
    } else if (delayMs === null) return;
    else if (begins === 'turn') immediate = setImmediate(begin);
    else void begin();
  };
  return wake;
}
